"""What every plug-in holds to: contracts, clause by clause, for `quintet check` and for the tests of our own.

A contract is a tuple of clauses, and a clause is a function whose name is the sentence it stands for. It takes its
subject, a plug-in with what is needed to try it, and raises `Broken` with what was expected and what was got, or
`Skipped` where it has nothing to try.
"""
