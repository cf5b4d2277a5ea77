"""The concurrency that endpoints sustained in earlier runs: a file for each model, in the user's state folder."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from quintet.config.state_folder import state_folder
from quintet.plugins.files import read_regular
from quintet.ports.model import Billed, Model
from quintet.quota.limiter import FIRST_CALLS
from quintet.quota.quota import LocalLimiters

_LONGEST: Final = 4_096
"""Bytes of a file."""


class SustainedConcurrency:
    """How many calls at once the models of a run sustained before it; only those that are billed, which endpoints are.

    Args:
        shards: how many drivers ask an endpoint at once. Each begins with its part, and keeps nothing: what one finds
            out says little of all.
    """

    def __init__(self, models: Iterable[Model], shards: int = 1) -> None:
        self._shards = shards
        billed = {model.name: model.account for model in models if isinstance(model, Billed) and model.account}
        self._places = {name: place for name, account in billed.items() if (place := _place(name, account))}
        self._whole = {name: calls for name, place in self._places.items() if (calls := _read(place)) is not None}
        self.calls: Mapping[str, int] = {name: max(1, calls // shards) for name, calls in self._whole.items()}
        """By name of those that are known; of a shard, its part."""

    def lines(self) -> Iterator[str]:
        """What a run that starts so says of it."""
        for name, calls in self._whole.items():
            starts = "it starts with as many" if self._shards == 1 else f"this shard starts with {self.calls[name]:,}"
            yield f"{name}: sustained {calls:,} calls at once in an earlier run, so {starts} (limits.start)"

    def keep(self, limiters: LocalLimiters) -> None:
        """Keep what a run found out. Where it cannot be kept the next run starts as the first did."""
        if self._shards > 1:
            return
        for name, calls in limiters.sustained(self.calls).items():
            place = self._places.get(name)
            if place is not None and calls != self.calls.get(name, FIRST_CALLS):
                with suppress(OSError):
                    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    place.write_text(f"{calls} {name}\n")


def _place(model: str, account: str) -> Path | None:
    state = state_folder()
    return None if state is None else state / "sustained" / sha256(f"{model} {account}".encode()).hexdigest()


def _read(place: Path) -> int | None:
    """What a file says; None if it says no number, or is none: another run may be writing it."""
    with suppress(OSError, ValueError):
        calls = int(read_regular(place, _LONGEST).partition(b" ")[0])
        return calls if calls > 0 else None
    return None
