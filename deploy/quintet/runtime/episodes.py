"""The episodes role, on the driver's host: runs episodes for a learner, each once, whoever asks again."""

from collections.abc import Callable
from typing import Final

from quintet.errors import JournalFault, LearnerFaulted
from quintet.events import Decided, EpisodeEnded
from quintet.journal.reader import JournalReader
from quintet.messages.learning import EpisodeRan, EpisodesRequest, RunEpisode
from quintet.messages.paths import Path, attempt_of, episode_path
from quintet.messages.solving import Solve
from quintet.roles.context import current, decide
from quintet.runtime.calls import RETRIED
from quintet.runtime.driver import Driver
from quintet.runtime.experience import experience
from quintet.runtime.incarnation import Planned

_SURROUNDINGS: Final = frozenset(fault.__name__ for fault in RETRIED)
"""Kinds of faults that say nothing of the episode they ended."""


class Episodes:
    """Runs an episode through the driver, or finds its end in the journal.

    Args:
        driver: of the run.
        journal: of the run.
        pose: what an episode of a task is asked with a version.
    """

    def __init__(self, driver: Driver, journal: JournalReader, solve_request: Callable[[str, int], Solve]) -> None:
        self._driver = driver
        self._journal = journal
        self._solve_request = solve_request

    async def receive(self, request: EpisodesRequest) -> EpisodeRan:
        if not any(isinstance(record.event, Decided) for record in current().recording.records):
            await self._run(request)
        # One that is repeated later changes nothing: what was learnt from stays what it was.
        attempt = await decide("attempt", attempt_of(self._newest(request)).number)
        return self._told(episode_path(request.task, request.version, attempt), request)

    async def _run(self, request: RunEpisode) -> None:
        """See that the newest attempt ends; one to learn from is made once more where the surroundings failed it.

        Of several attempts the newest counts, also where it was begun while another one was waited for.

        Raises:
            LearnerFaulted: the surroundings failed it again. A later start of the run tries once more.
        """
        repeated = False
        while (end := self._journal.end(path := self._newest(request))) is None or _is_spoilt(end, request):
            if end is not None:
                if repeated:
                    raise LearnerFaulted(f"{path}: expected an episode to learn from, got {end.why}")
                repeated = True
                path = episode_path(request.task, request.version, attempt_of(path).number + 1)
            planned = Planned(path, self._solve_request(request.task, request.version))
            await self._driver.episode(planned, ahead=request.learnt_from)

    def _newest(self, request: RunEpisode) -> Path:
        """The newest attempt that was begun, or is to be."""
        attempt = self._journal.attempt(request.task, request.version) or 0
        while self._driver.is_part(again := episode_path(request.task, request.version, attempt + 1)):
            attempt = attempt_of(again).number
        return episode_path(request.task, request.version, attempt)

    def _told(self, path: Path, request: EpisodesRequest) -> EpisodeRan:
        end = self._journal.end(path)
        if end is None:
            raise JournalFault(f"{path}: expected an end in the journal, found none")
        lived = experience(request.task, self._journal.records(path)) if request.learnt_from else None
        return EpisodeRan(faulted=end.state == "faulted", reward=end.reward, experience=lived)


def _is_spoilt(end: EpisodeEnded, request: RunEpisode) -> bool:
    """Whether nothing can be learnt from an episode because of its surroundings: its model brought no answer."""
    return request.learnt_from and end.fault is not None and end.fault.kind in _SURROUNDINGS
