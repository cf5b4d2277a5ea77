"""The episodes role, on the driver's host: runs episodes for a learner, each once, whoever asks again."""

from collections.abc import Callable

from actors.conversation import decide
from deploy.journal.reader import JournalReader
from deploy.runtime.driver import Driver
from deploy.runtime.experience import experience
from deploy.runtime.planned import Planned
from protocols.errors import JournalFault
from protocols.learning import EpisodeRan, EpisodesRequest
from protocols.paths import Path, episode_path
from protocols.solving import Solve


class Episodes:
    """Runs an episode through the driver, or finds its end in the journal.

    Args:
        driver: of the run.
        journal: of the run.
        pose: what an episode of a task is asked with a version.
    """

    def __init__(self, driver: Driver, journal: JournalReader, pose: Callable[[str, int], Solve]) -> None:
        self._driver = driver
        self._journal = journal
        self._pose = pose

    async def receive(self, request: EpisodesRequest) -> EpisodeRan:
        attempt = self._journal.attempt(request.task, request.version) or 0
        path = episode_path(request.task, request.version, attempt)
        if self._journal.end(path) is None:
            planned = Planned(path, self._pose(request.task, request.version))
            await self._driver.episode(planned, ahead=request.learnt_from)
        # An episode that faulted may be repeated later; what was learnt from stays what it was.
        attempt = await decide("attempt", attempt)
        return self._told(episode_path(request.task, request.version, attempt), request)

    def _told(self, path: Path, request: EpisodesRequest) -> EpisodeRan:
        end = self._journal.end(path)
        if end is None:
            raise JournalFault(f"{path}: expected an end in the journal, found none")
        lived = experience(request.task, self._journal.records(path)) if request.learnt_from else None
        return EpisodeRan(faulted=end.state == "faulted", reward=end.reward, experience=lived)
