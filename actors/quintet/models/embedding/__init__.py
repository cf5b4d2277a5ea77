"""Embedders: texts as vectors of length one.

An endpoint's embedder is a model whose completions are vectors in base64, so `deploy/` adds permits, retries, prices
and the journal around it as around every model. The others compute in this process.
"""
