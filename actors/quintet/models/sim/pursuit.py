"""Reads what a prompt shows of the pursuit of one task: its plan, what was done so far, and notes.

What was done is a sentence an action. The player writes what the action was and what was answered, word for word, and
reads it back as a step. A step that was gone back on begins with `(undone)`: it has no effect any more, and what it
showed may still hold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"\A\s*(?P<heading>[^\n:]{1,80}):[ \t]*\n[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+\S")
_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_SUBJECTS = (
    ("failed", re.compile(r"\bplan\b.*\bfail|\bfail\w*\b.*\bplan\b", re.IGNORECASE)),
    ("steps", re.compile(r"\bplan\b", re.IGNORECASE)),
    ("done", re.compile(r"\bdone\b.*\bso far\b", re.IGNORECASE)),
    ("notes", re.compile(r"\bnotes?\b", re.IGNORECASE)),
)
_NOW = re.compile(r"\A[^\n]*\bstep\b[^\n:]*:[ \t]*(?P<number>\d{1,3})[.)][ \t]+\S[^\n]*\Z", re.IGNORECASE)
_DEED = re.compile(
    r"(?P<undone>\(undone\)[ \t]*)?(?:the action is to )?(?P<action>(?>\[[^\]]*\]|[^:])+?)(?:: (?P<observation>.+))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class PastAction:
    """One sentence about the past."""

    action: str
    observation: str
    """What was answered; empty where the sentence does not say."""
    undone: bool


@dataclass(frozen=True)
class Pursuit:
    """What a prompt shows, each in its order; empty where it shows nothing."""

    steps: tuple[str, ...] = ()
    """The plan."""
    failed: tuple[str, ...] = ()
    """The plan that was followed before."""
    done: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    current: int | None = None
    """The number of the step that is pursued, from 1; None: no step is singled out."""

    @property
    def step(self) -> str | None:
        """The step that is pursued."""
        in_range = self.current is not None and 1 <= self.current <= len(self.steps)
        return self.steps[self.current - 1] if self.current is not None and in_range else None

    @property
    def times(self) -> int:
        """How often the plan asks for what this step says, up to it."""
        return self.steps[: self.current].count(self.step or "")

    def texts(self) -> tuple[str, ...]:
        """What may teach something, besides the steps that were carried out. A plan that failed is no advice."""
        return (*self.steps, *self.notes, *(deed.observation for deed in self.deeds() if deed.undone))

    def deeds(self) -> Iterator[PastAction]:
        """What was done, read back."""
        for sentence in self.done:
            if found := _DEED.fullmatch(sentence):
                said = (found["observation"] or "").replace("; ", ". ")
                yield PastAction(found["action"].rstrip("."), said, found["undone"] is not None)


NO_PURSUIT = Pursuit()


def read_pursuit(message: str) -> tuple[str, Pursuit]:
    """A message without these paragraphs, and what they show."""
    paragraphs = message.split("\n\n")
    found: dict[str, tuple[str, ...]] = {}
    current: int | None = None
    rest: list[str] = []
    for paragraph in paragraphs:
        if now := _NOW.match(paragraph.strip()):
            current = int(now["number"])
        elif (name := _subject(paragraph)) is not None:
            found[name] = tuple(_ITEM.findall(paragraph))
        else:
            rest.append(paragraph)
    if len(rest) == len(paragraphs):
        return message, NO_PURSUIT
    return "\n\n".join(rest), Pursuit(**found, current=current)


def _subject(paragraph: str) -> str | None:
    found = _HEADING.match(paragraph)
    return next((name for name, words in _SUBJECTS if words.search(found["heading"])), None) if found else None


def describe(action: str, observation: str) -> str:
    """One sentence about an action, and what was answered to it."""
    said = _BETWEEN.sub("; ", " ".join(observation.split())).replace(".; ", "; ")
    return f"The action is to {action}" + (f": {said}" if said else ".")
