"""Which sampling parameters a family of models takes, and under which names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from protocols.models import Sampling

LengthName: TypeAlias = Literal["max_tokens", "max_completion_tokens"]
SamplingName: TypeAlias = Literal["temperature", "top_p", "seed", "stop"]


@dataclass(frozen=True)
class Dialect:
    """How sampling parameters are sent."""

    length: LengthName = "max_tokens"
    omitted: frozenset[SamplingName] = frozenset()

    def parameters(self, sampling: Sampling) -> dict[str, Any]:
        """Fields of a request's body. What has a value is sent even where it is the usual default: servers differ."""
        values: dict[SamplingName, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "stop": tuple(filter(None, sampling.stop)) or None,
        }
        sent: dict[str, Any] = {self.length: sampling.max_tokens}
        sent.update((name, value) for name, value in values.items() if value is not None and name not in self.omitted)
        return sent


_USUAL = Dialect()
_REASONING = Dialect("max_completion_tokens", frozenset({"temperature", "top_p", "stop"}))

_FAMILIES: Mapping[str, Dialect] = {
    "gpt-5-chat": _USUAL,
    "gpt-5": _REASONING,
    "o1": _REASONING,
    "o3": _REASONING,
    "o4": _REASONING,
}
"""By the first words of a name; the first that fits counts."""


def dialect_of(model: str) -> Dialect:
    """What the family of `model` takes; the usual where the name tells nothing. `PROVIDER/NAME` is read as `NAME`."""
    name = model.rpartition("/")[2]
    return next((dialect for family, dialect in _FAMILIES.items() if _within(name, family)), _USUAL)


def _within(name: str, family: str) -> bool:
    following = name.removeprefix(family)[:1]
    return name.startswith(family) and not following.isalnum()
