"""Parts of tree searches, for any method: `docs/search.md` has one that is written with them.

`node`, `selection`, `frontier`, `growing` and `backing_up` know no runtime. The others act through an `Episode`.
"""
