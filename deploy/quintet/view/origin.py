"""What an episode of a fork goes on from: the recorded episode, and which of its blocks are copied from there."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path as FilePath
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from quintet.errors import UsageError
from quintet.events import Exchanged, Recalled
from quintet.messages.continuations import COPIED
from quintet.messages.paths import Path, attempt_of, is_within, order_of
from quintet.reports.transcript import TranscriptBlock
from quintet.runs.fork_record import Continued
from quintet.runs.run_folder import RunFolder
from quintet.view.folder import ViewedFolder

BlockOrigin: TypeAlias = Literal["", "copied", "begins"]
"""Of a block of a fork: it is copied, or the live part begins with it. Empty: it is live, or the run is no fork."""


class ShownOrigin(Struct, frozen=True):
    """The recorded episode that another one goes on from."""

    run: str | None
    """Its id; None: it does not lie in the folder that is viewed."""
    folder: str
    episode: str
    at: str
    """`step:3`, or a path below the episode."""
    changes: tuple[str, ...]
    """What is different from there on, in words."""
    block: int | None
    """Where the live part begins in the conversation; None: it has not begun."""


class EpisodeOrigin(NamedTuple):
    """What the record of a fork says of one of its episodes."""

    run: RunFolder
    episode: Path
    continued: Continued

    @classmethod
    def find(cls, run: RunFolder, episode: Path) -> "EpisodeOrigin | None":
        """None: the run is no fork, or the episode began by itself."""
        attempt = attempt_of(episode)
        fork = run.record.fork
        found = None if fork is None else fork.by_episode.get((attempt.task, attempt.epoch))
        return None if found is None else cls(run, episode, found)

    def blocks(self, blocks: Sequence[TranscriptBlock]) -> list[BlockOrigin]:
        """Of each block of the conversation."""
        copied = list(map(self._is_copied, blocks))
        first = next((place for place, block in enumerate(blocks) if not copied[place] and self._is_later(block)), None)
        return ["copied" if each else "begins" if place == first else "" for place, each in enumerate(copied)]

    def _is_copied(self, block: TranscriptBlock) -> bool:
        # A completion that was said in place of the recorded one is none that was recorded.
        is_said = self.continued.said is not None and is_within(block.record.event.path, self._at)
        return block.record.incarnation == COPIED and not is_said

    def _is_later(self, block: TranscriptBlock) -> bool:
        # A request is shown before, and recorded after, all that it led to; what is recalled anew is shown before too.
        event = block.record.event
        return not isinstance(event, Exchanged | Recalled) and order_of(event.path) >= order_of(self._at)

    @property
    def _at(self) -> Path:
        return Path(f"{self.episode}/{self.continued.at}") if self.continued.at else self.episode

    def shown(self, viewed: ViewedFolder, names: Mapping[str, str], block: int | None) -> ShownOrigin:
        """As a page shows it, with the names of places in the episode."""
        fork = self.run.record.fork
        assert fork is not None
        places = (fork.run, self.run.path.parent / fork.run.name)  # the second, if both were moved
        found = next((each for each in places if viewed.has(each) and _created(each) == fork.created), None)
        return ShownOrigin(
            run=None if found is None else viewed.identify(found),
            folder=str(fork.run),
            episode=self.continued.of,
            at=place_name(self.continued, names),
            changes=fork.changes,
            block=block,
        )


def _created(run: FilePath) -> datetime | None:
    """When a run was made; None: there is none that can be read."""
    try:
        return RunFolder.open_to_read(run).record.created
    except UsageError:
        return None


def place_name(continued: Continued, names: Mapping[str, str]) -> str:
    """Where an episode goes on, by a name that a person can read; see `place_names`."""
    return names.get(continued.at, continued.at) or "start"
