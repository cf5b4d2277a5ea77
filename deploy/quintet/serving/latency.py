"""The latency of completions: a distribution written as `200ms` or `lognormal(1s,0.5)`."""

import math
import re
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from quintet.errors import UsageError

Latency: TypeAlias = Callable[[Random], float]
"""Draws seconds, from 0 to a day."""

_DAY = 86_400.0
_IN_A_SECOND = {"ms": 1_000, "s": 1}
_MAX_SIGMA = 10.0
"""Of a lognormal. With a greater one, nearly every draw is either 0 or a day."""

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s)", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_CALL = re.compile(r"(\w+)\((.*)\)")


def parse_latency(text: str) -> Latency:
    """Read a distribution.

    Args:
        text: `0`, a duration such as `200ms` or `2s`, `uniform(LOW,HIGH)`, `normal(MEAN,DEVIATION)` (cut off at 0),
            `exponential(MEAN)` or `lognormal(MEDIAN,SIGMA)`, where SIGMA alone is a plain number.

    Raises:
        UsageError: the text has another form.
    """
    text = text.strip()
    call = _CALL.fullmatch(text)
    if call is None:
        fixed = _seconds(text, text)
        return lambda _: fixed
    name, arguments = call[1], [argument.strip() for argument in call[2].split(",")]
    if name not in _DISTRIBUTIONS:
        raise UsageError(f"--latency: expected one of {', '.join(_DISTRIBUTIONS)}, got {name!r} ({text})")
    draw, readers = _DISTRIBUTIONS[name]
    if len(arguments) != len(readers):
        raise UsageError(f"--latency: expected {len(readers)} values in {name}(...), got {len(arguments)} ({text})")
    values = [read(argument, text) for read, argument in zip(readers, arguments, strict=True)]
    if name == "uniform" and values[0] > values[1]:
        raise UsageError(
            f"--latency: expected the lower bound first, got {arguments[0]} before {arguments[1]} ({text})"
        )
    return lambda random: min(max(0.0, draw(random, *values)), _DAY)


def _seconds(text: str, where: str) -> float:
    duration = _DURATION.fullmatch(text)
    seconds = 0.0 if text == "0" else math.inf if duration is None else float(duration[1]) / _IN_A_SECOND[duration[2]]
    if seconds > _DAY:
        raise UsageError(
            f"--latency: expected 0 or a duration of at most a day, as 200ms or 2s, got {text!r} ({where})"
        )
    return seconds


def _sigma(text: str, where: str) -> float:
    if _NUMBER.fullmatch(text) is None or float(text) > _MAX_SIGMA:
        raise UsageError(f"--latency: expected a plain number of at most {_MAX_SIGMA:g}, got {text!r} ({where})")
    return float(text)


def _exponential(random: Random, mean: float) -> float:
    return mean * random.expovariate(1.0)


def _lognormal(random: Random, median: float, sigma: float) -> float:
    return median * math.exp(random.gauss(0.0, sigma))


_DISTRIBUTIONS: dict[str, tuple[Callable[..., float], tuple[Callable[[str, str], float], ...]]] = {
    "uniform": (Random.uniform, (_seconds, _seconds)),
    "normal": (Random.gauss, (_seconds, _seconds)),
    "exponential": (_exponential, (_seconds,)),
    "lognormal": (_lognormal, (_seconds, _sigma)),
}
"""By name: how to draw, and how to read each argument."""
