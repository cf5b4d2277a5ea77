"""What a run's record says of a fork: which recorded episodes its own go on from, where, and with what changes."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict

from quintet.events import EpisodeState
from quintet.messages import paths

MOST_DRAWS: Final = 10_000
"""Of a fork; the draw of a fork of a fork is a number whose digits, to one more than this base, are the draws."""

RecordedState: TypeAlias = EpisodeState | Literal["unfinished"]
"""How a recorded attempt ended, if it did."""


class ContinuationKey(NamedTuple):
    """What pairs a continuation with the recorded episode, and with a continuation of it in another fork."""

    epoch: int
    """Of the recorded episode."""
    draw: int
    number: int
    """From 0, among the fork's continuations of the same episode with the same draw."""


class Begun(BaseModel):
    """What an episode was begun with, beside its task: the same begins it again."""

    model_config = ConfigDict(frozen=True)

    world: int
    """The epoch that its world is of."""
    epoch: int
    """The epoch that its random choices and calls have the seeds of."""
    draw: int = 0
    """Of the seeds of its live calls. 0: they are those of the first recorded run."""
    observed: Mapping[str, str] = {}
    """By the path of a step below it, what the world was said to answer."""
    purpose: str = ""
    """See `Solve`."""
    temperature: float | None = None
    """Of the request's own sampling; None: it has none."""
    top_p: float = 1.0
    """Likewise."""

    def continued(self, draw: int, observed: Mapping[str, str]) -> "Begun":
        """What an episode is begun with that goes on from this one; `draw`: 0 keeps the seeds."""
        own = self.draw * (MOST_DRAWS + 1) + draw if draw else self.draw
        return self.model_copy(update={"draw": own, "observed": {**self.observed, **observed}})


class Continued(BaseModel):
    """An episode that goes on from a recorded one."""

    model_config = ConfigDict(frozen=True)

    task: str
    epoch: int
    """In this run: its continuations of a task are numbered from 0."""
    of: str
    """The path of the recorded attempt, in the other run."""
    at: str
    """The path of the first thing that is live, below the episode: `2/1`; empty: all of it is."""
    before: int
    """Copied are the events of the recorded attempt with smaller ids."""
    draw: int = 0
    """0: its calls have the seeds of the recorded ones. Calls of each other draw have seeds of their own."""
    said: str | None = None
    """In place of the last copied completion; None: that stays."""
    begun: Begun
    state: RecordedState = "unfinished"
    """Of the recorded attempt."""
    reward: float = 0.0
    """Of the recorded attempt; 0 if it did not end by its method."""

    @property
    def epoch_of(self) -> int:
        """The epoch of the recorded attempt, in the other run."""
        return paths.attempt_of(paths.Path(self.of)).epoch

    @property
    def episode(self) -> paths.Path:
        """The path of its first attempt."""
        return paths.episode_path(self.task, self.epoch, 0)


class ForkRecord(BaseModel):
    """The run that a fork goes on from, and where each of its episodes does."""

    model_config = ConfigDict(frozen=True, ignored_types=(cached_property,))

    run: Path
    """The folder of the other run. It must be there as long as episodes are to begin."""
    created: AwareDatetime
    """When the other run was made: what it is known by, wherever its folder is."""
    at: str
    """As it was asked for: `step:7`, `2/1`."""
    episodes: tuple[Continued, ...]
    changes: tuple[str, ...] = ()
    """What is different from there on, in words."""
    note: str = ""
    """Shown beside the task in every prompt of the live part; empty: none."""
    compares: bool = True
    """Whether the prompts before `at` must be those that were recorded."""
    recalls: bool = False
    """Whether what was recalled before `at` is recalled anew, since the memory is another one."""

    @cached_property
    def by_episode(self) -> Mapping[tuple[str, int], Continued]:
        """Its episodes by task and epoch."""
        return {(each.task, each.epoch): each for each in self.episodes}

    def keys_by_task(self) -> Mapping[str, Mapping[int, ContinuationKey]]:
        """By task and epoch, what its episodes are."""
        before: Counter[tuple[str, int]] = Counter()
        found: dict[str, dict[int, ContinuationKey]] = {}
        for each in self.episodes:
            same = each.of, each.draw
            found.setdefault(each.task, {})[each.epoch] = ContinuationKey(each.epoch_of, each.draw, before[same])
            before[same] += 1
        return found
