"""How an episode goes on from a recorded one: what every host that works for it has to know."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from quintet.messages.paths import Path, episode_of, without_attempt

COPIED = 0
"""The incarnation of records that an episode took from the one that it goes on from. Its own starts count from 1."""


class Continuation(Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True):
    """An episode begins with the records of another, up to a path, and goes on live from there."""

    epoch: Annotated[int, Meta(ge=0)]
    """Of the first recorded episode: its random choices are this episode's too."""
    draw: Annotated[int, Meta(ge=0)] = 0
    """Further calls of each draw have seeds of their own; those of draw 0 have the first recorded episode's."""
    at: str = ""
    """The path of the first thing that is live, below the episode: `2/1`."""
    observed: Mapping[str, str] = {}
    """By the path of a step below the episode: what it is said to be answered by, in place of the world's own words."""
    compares: bool = True
    """Whether the prompts before `at` must be those that were recorded. They may differ where the run says so."""

    def says_at(self, path: Path) -> str | None:
        """What the step at a path is said to be answered by; None: what the world answers."""
        return self.observed.get(path.removeprefix(f"{episode_of(path)}/"))


def seed_path(path: Path, continues: Continuation | None = None) -> str:
    """What the random choices at a path depend on beside a seed: the path without its attempt, as it was recorded."""
    if continues is None:
        return without_attempt(path)
    task, _epoch, _attempt, *below = path.split("/")
    return "/".join([task, str(continues.epoch), *below])
