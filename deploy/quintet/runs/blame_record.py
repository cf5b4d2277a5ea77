"""What a search for the steps that decided episodes was begun with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from quintet.config.sections import RunConfig


class BlamedEpisode(BaseModel):
    """An unsolved episode, and the places that continuations of it can begin at."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    """Of its attempt, in the recorded run."""
    places: tuple[int, ...]
    """The start, and behind each of its steps: the id of the first event that a continuation from there lacks."""

    @property
    def steps(self) -> int:
        """How many it took."""
        return len(self.places) - 1


class BlameRecord(BaseModel):
    """The content of a study's record that is about a search for decisive steps; its stages are the arms."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run: Path
    """The folder of the recorded run. It must be there as long as continuations are to begin."""
    episodes: tuple[BlamedEpisode, ...]
    times: int
    """Continuations of each place."""
    every_step: bool = False
    """Whether all places are measured; else they are searched by bisection."""
    settings: Mapping[str, Any] = {}
    """What continuations have that the recorded run had not, by dotted key."""
    changes: tuple[str, ...] = ()
    """Those of them that make the policy another one, in words."""
    continued: RunConfig
    """What continuations run under, but for their tasks."""
    ended: bool = False
    """Whether no further stage follows."""
