"""The places of a recorded episode that continuations begin at: its start, and behind each of its steps."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from itertools import zip_longest

from quintet.errors import UsageError
from quintet.events import StepTaken
from quintet.forks.places import START, ForkPlace, RecordedEpisode
from quintet.messages.paths import Path
from quintet.runs.run_folder import RunFolder


def fork_places(recorded: RecordedEpisode) -> list[ForkPlace]:
    """The places, in order. Behind a step is not where `step:N` of the next one is: that has its action already."""
    found = [recorded.find(START)]
    for event, following in zip_longest(recorded.events, recorded.events[1:]):
        if event.kind == StepTaken.kind and following is None:
            found.append(ForkPlace(event.id + 1, "", ""))
        elif event.kind == StepTaken.kind:
            found.append(ForkPlace(following.id, following.path, following.kind))
    return found


@contextmanager
def recorded_episodes(run: RunFolder, paths: Iterable[str]) -> Generator[Mapping[str, RecordedEpisode], None, None]:
    """Some attempts of a run, by path, to look at inside the block.

    Raises:
        UsageError: one is not there.
    """
    with run.read_journals() as opened:
        readers = {part.part.path: part.reader for part in opened.journals}
        found: dict[str, RecordedEpisode] = {}
        for path in paths:
            reader = readers.get(run.part_with(path).path)
            row = None if reader is None else reader.episode(Path(path))
            if reader is None or row is None:
                raise UsageError(f"blame: expected the episode {path}, got none ({run.path})")
            found[path] = RecordedEpisode(reader, row)
        yield found
