# PyStemmer brings no types.

class Stemmer:
    def __init__(self, algorithm: str, cache_size: int = ..., /) -> None: ...
    def stemWord(self, word: str, /) -> str: ...  # noqa: N802
