"""The episodes role, on the driver's host: runs episodes for a learner, each once, whoever asks again."""

from collections.abc import Callable

from actors.conversation import decide
from deploy.journal.reader import JournalReader
from deploy.runtime.driver import Driver
from deploy.runtime.experience import experience
from deploy.runtime.planned import Planned
from protocols.errors import JournalFault
from protocols.learning import EpisodeRan, EpisodesRequest, RunEpisode
from protocols.paths import Path, attempt_of, episode_path
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
        # Of several attempts the newest counts, also where it was begun while another one was waited for.
        while self._journal.end(self._newest(request)) is None:
            planned = Planned(self._newest(request), self._pose(request.task, request.version))
            await self._driver.episode(planned, ahead=request.learnt_from)
        # One that is repeated later changes nothing: what was learnt from stays what it was.
        attempt = await decide("attempt", attempt_of(self._newest(request)).number)
        return self._told(episode_path(request.task, request.version, attempt), request)

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
