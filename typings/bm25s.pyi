# bm25s brings no types.

from collections.abc import Sequence

from numpy import float32
from numpy.typing import NDArray

class BM25:
    def __init__(self, *, k1: float = ..., b: float = ..., method: str = ...) -> None: ...
    def index(self, corpus: Sequence[Sequence[str]], *, show_progress: bool = ...) -> None: ...
    def get_scores(self, query_tokens: Sequence[str]) -> NDArray[float32]: ...
