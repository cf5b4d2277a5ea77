"""Parts of tree searches, for any method: `docs/search.md` has one that is written with them.

`node`, `proposals`, `frontier` and `selection` know no runtime. The others act through an `Episode`.
"""
