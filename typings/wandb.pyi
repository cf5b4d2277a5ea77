# What our example uses of Weights & Biases, which is no dependency.
from collections.abc import Mapping
from typing import Literal

class Run:
    def log(self, data: Mapping[str, float]) -> None: ...
    def finish(self, exit_code: int | None = None) -> None: ...

def init(
    *, project: str, name: str, id: str, config: Mapping[str, object], resume: Literal["allow", "must", "never"]
) -> Run: ...
