from collections.abc import Iterable, Mapping
from typing import Any, Self

class Dataset:
    @classmethod
    def from_list(cls, mapping: list[dict[str, Any]]) -> Self: ...

def load_dataset(path: str, *, split: str) -> Iterable[Mapping[str, Any]]: ...
