"""Candidates: texts of the prompts that are optimised, numbered in the order in which they come up."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from quintet.prompt_optimizer.played import Played


@dataclass(eq=False)
class PromptCandidate:
    """One text for each of the prompts, and what it came to so far."""

    number: int
    """From 0, which is the start."""
    texts: Mapping[str, str]
    parent: int | None = None
    """The number of the one that it was rewritten from; None for the start."""
    rewritten: str = ""
    """The prompt that was rewritten."""
    played: dict[str, Played] = field(default_factory=dict[str, Played])
    """By task; each is played once."""
    arms: int = 0
    """How many arms have played it."""
    unusable: str = ""
    """Why it cannot be played at all; its reward is 0 then."""

    @property
    def name(self) -> str:
        """In names of arms and tables: `c3`."""
        return f"c{self.number}"

    def mean(self, tasks: Iterable[str]) -> float | None:
        """Its mean reward in these tasks; None if it has not played all of them, or there are none."""
        found = [self.played.get(task) for task in tasks]
        rewards = [each.reward for each in found if each is not None]
        return fmean(rewards) if rewards and len(rewards) == len(found) else None


class PromptCandidates:
    """All candidates so far. The same texts are the same candidate."""

    def __init__(self, start: Mapping[str, str]) -> None:
        self._by_texts: dict[tuple[tuple[str, str], ...], PromptCandidate] = {}
        self.add(start)

    def __iter__(self) -> Iterator[PromptCandidate]:
        return iter(self._by_texts.values())

    @property
    def start(self) -> PromptCandidate:
        """The texts that the method has."""
        return next(iter(self._by_texts.values()))

    def of(self, texts: Mapping[str, str]) -> PromptCandidate:
        """The one with these texts, which was added before."""
        return self._by_texts[_key(texts)]

    def add(
        self, texts: Mapping[str, str], parent: PromptCandidate | None = None, rewritten: str = ""
    ) -> PromptCandidate:
        """The one with these texts, a new one unless they came up before."""
        number = len(self._by_texts)
        made = PromptCandidate(number, dict(texts), None if parent is None else parent.number, rewritten)
        return self._by_texts.setdefault(_key(texts), made)

    def best(self, held_out: Iterable[str]) -> PromptCandidate:
        """The one with the greatest mean reward in the held-out tasks, of equal ones the first; else the start."""
        tasks = list(held_out)
        return max(self._by_texts.values(), key=lambda each: (each.mean(tasks) or 0.0, -each.number))


def _key(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(texts.items()))
