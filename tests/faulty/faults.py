"""Injected faults: reads `429:0.1,500@3,drop@5-9,retry-after=0.2`, and decides which fault a request gets."""

import math
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from quintet.errors import UsageError

HttpStatus: TypeAlias = Literal["400", "401", "404", "422", "429", "500", "502", "503", "504"]
BrokenAnswer: TypeAlias = Literal["drop", "late", "lost", "garbage", "empty", "nousage", "huge"]
TextlessAnswer: TypeAlias = Literal["refusal", "filter", "tools", "null", "image"]
FaultKind: TypeAlias = HttpStatus | BrokenAnswer | TextlessAnswer
"""What happens to a request:

    400, 401, ...   refused at once, with this status and an error
    drop            the connection is closed at once; no completion is made
    late            answered only after a long wait
    lost            the completion is made and counted as answered, but the connection is closed before it is sent
    garbage         answered with 200 and a body that is not JSON
    empty           answered with 200 and no choices
    nousage         answered with a completion that lacks its usage
    huge            answered with a completion whose usage is 10^15 tokens
    refusal         answered with a refusal instead of a text
    filter          answered without a text, as if a filter withheld it
    tools           answered with only a tool call
    null            answered with null instead of a text
    image           answered with an image instead of a text
"""

KINDS: tuple[FaultKind, ...] = (*get_args(HttpStatus), *get_args(BrokenAnswer), *get_args(TextlessAnswer))

_ENTRY = re.compile(r"(\w+)(?::(\d+(?:\.\d+)?|\.\d+)|@(\d{1,15})(?:-(\d{1,15}))?)", re.ASCII)
_OPTION = re.compile(r"(retry-after|late)=(\d{1,6}(?:\.\d+)?)", re.ASCII)
_CONTEXT = re.compile(r"context=([1-9]\d{0,8})", re.ASCII)
_SLACK = 1e-9
"""Tolerance for a sum of shares in floating point."""


@dataclass(frozen=True)
class Faults:
    """Which requests get which fault. If several apply, the first counts, and numbered ones come before shares."""

    numbered: tuple[tuple[FaultKind, range], ...] = ()
    """For these requests, counted from 1 as they arrive."""
    shares: tuple[tuple[FaultKind, float], ...] = ()
    """For this share of the requests. The sum is at most 1, since a request gets one fault at most."""
    retry_after: float = 1.0
    """Seconds, for 429 and 503."""
    late: float = 600.0
    """Seconds by which a `late` answer is delayed, beyond its latency."""
    context: int | None = None
    """Tokens of the longest prompt that is answered; None: no limit."""

    def draw(self, number: int, chance: float) -> FaultKind | None:
        """The fault of a request, if any.

        Args:
            number: of the request, from 1.
            chance: uniform in [0, 1).
        """
        for kind, numbers in self.numbered:
            if number in numbers:
                return kind
        for kind, share in self.shares:
            if chance < share:
                return kind
            chance -= share
        return None


def parse_faults(text: str) -> Faults:
    """Read a list of faults.

    Args:
        text: entries separated by commas: `KIND:SHARE`, `KIND@N` or `KIND@FIRST-LAST`, and the options
            `retry-after=SECONDS`, `late=SECONDS` and `context=TOKENS`. Empty for none.

    Raises:
        UsageError: an entry has another form, or the shares sum to more than 1.
    """
    numbered: list[tuple[FaultKind, range]] = []
    shares: list[tuple[FaultKind, float]] = []
    options: dict[str, float] = {}
    context: int | None = None
    for entry in (entry.strip() for entry in text.split(",") if text.strip()):
        if option := _OPTION.fullmatch(entry):
            options[option[1].replace("-", "_")] = float(option[2])
            continue
        if limit := _CONTEXT.fullmatch(entry):
            context = int(limit[1])
            continue
        found = _ENTRY.fullmatch(entry)
        if found is None:
            expected = "KIND:SHARE, KIND@N, KIND@FIRST-LAST, retry-after=SECONDS, late=SECONDS or context=TOKENS"
            raise UsageError(f"--faults: expected {expected}, got {entry!r} ({text})")
        kind = _kind(found[1], text)
        if found[2] is None:
            numbered.append((kind, _numbers(entry, int(found[3]), int(found[4] or found[3]), text)))
        else:
            shares.append((kind, float(found[2])))
    if (total := math.fsum(share for _, share in shares)) > 1 + _SLACK:
        raise UsageError(f"--faults: expected shares that sum to at most 1, got {total:g} ({text})")
    return Faults(numbered=tuple(numbered), shares=tuple(shares), context=context, **options)


def _kind(name: str, where: str) -> FaultKind:
    if name not in KINDS:
        raise UsageError(f"--faults: expected one of {', '.join(KINDS)}, got {name!r} ({where})")
    return name


def _numbers(entry: str, first: int, last: int, where: str) -> range:
    if not 1 <= first <= last:
        raise UsageError(
            f"--faults: expected requests counted from 1, the first before the last, got {entry!r} ({where})"
        )
    return range(first, last + 1)
