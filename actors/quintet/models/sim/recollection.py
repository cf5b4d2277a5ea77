"""Reads what a prompt recalls: worked states of other tasks, and a situation that stands in place of the turns.

A numbered example begins with `1. Observation:`, and a situation with `Observation:` alone or `What is seen now:`;
lines labelled `Evaluation:`, `Summary:` and, in an example, `Action:` follow. What stands before them is the task or
the last answer of the world, and is read without them: no example says anything about the present.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_LABEL = re.compile(
    r"^[ \t]*(?:(?P<number>\d{1,4})[.)][ \t]+)?(?:(?P<seen>observation|what is seen now)|(?P<label>evaluation|summary)"
    r"|action)[ \t]*:[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"(?:\A|\n)[^\n]*:[ \t]*\Z")


@dataclass(frozen=True)
class ShownState:
    """A state in short. Its evaluation is not read: the summary says as much, with the names of the things."""

    observation: str
    summary: str


@dataclass(frozen=True)
class LastMessage:
    """A message with what it recalls taken off."""

    before: str
    examples: str
    """All of them, as one text; empty if there are none."""
    situation: ShownState | None


@lru_cache(maxsize=256)
def read_recollection(message: str) -> LastMessage:
    """The parts of the message that a prompt ends with."""
    labels = [*_LABEL.finditer(message)]
    seen = [label for label in labels if label["seen"]]
    first = next((label.start() for label in seen if label["number"]), None)
    now = next((label.start() for label in seen if not label["number"] and message[: label.start()].strip()), None)
    begins = [start for start in (first, now) if start is not None]
    if not begins:
        return LastMessage(message, "", None)
    examples = "" if first is None else _without_heading(message[first:now])
    situation = None if now is None else _situation(message, [label for label in labels if label.start() >= now])
    return LastMessage(_without_heading(message[: min(begins)]), examples, situation)


def _situation(message: str, labels: list[re.Match[str]]) -> ShownState:
    ends = [*(label.start() for label in labels[1:]), len(message)]
    said = {
        "observation" if label["seen"] else (label["label"] or "").lower(): message[label.end() : end].strip()
        for label, end in zip(labels, ends, strict=True)
    }
    return ShownState(said["observation"], said.get("summary", ""))


def _without_heading(text: str) -> str:
    """A text without the line at its end that announces what follows."""
    return _HEADING.sub("", text.rstrip()).rstrip()
