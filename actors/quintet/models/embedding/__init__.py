"""Embedders: texts as vectors of length one.

    vectors.py       vectors as bytes
    hashed_words.py  hashed words and their parts; needs nothing
    wordllama.py     the package `wordllama`, whose wheel has its weights (the extra `embeddings`)
    endpoint.py      an endpoint's `/embeddings`, as a model whose completions are vectors
    by_model.py      the embedder over such a model

An endpoint's embedder is a model whose completions are vectors in base64, so `deploy/` adds permits, retries, prices
and the journal around it as around every model. The others compute in this process.
"""
