# The part of GEPA's package that is called; it has no types that both checkers take.
from collections.abc import Callable, Sequence
from typing import Any, Protocol

class _Logger(Protocol):
    def log(self, message: str) -> None: ...

def optimize(
    seed_candidate: dict[str, str],
    trainset: list[str],
    valset: list[str],
    adapter: object,
    *,
    reflection_minibatch_size: int,
    stop_callbacks: Sequence[Callable[[Any], bool]],
    seed: int,
    logger: _Logger,
) -> object: ...
