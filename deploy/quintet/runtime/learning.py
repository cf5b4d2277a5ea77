"""Where a run's learner lives: beside the driver, which it asks for episodes."""

from typing import Any

from quintet.journal.reader import JournalReader
from quintet.methods.base.method import LearnerSpec
from quintet.roles.learner import Learner
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import Episodes
from quintet.runtime.incarnation import LEARNER_ROLE
from quintet.runtime.roles import EPISODES
from quintet.runtime.runtime import Runtime


def seat_learner(
    spec: LearnerSpec[Any], runtime: Runtime, journal: JournalReader, solve_request: EpisodeRequests, *, seed: int
) -> None:
    """Spawn on the driver's host the learner and the role that runs episodes for it.

    Args:
        spec: the learner, configured.
        runtime: open.
        journal: of the run.
        solve_request: makes the request that starts an episode.
        seed: of the run.
    """
    runtime.host.spawn(EPISODES, Episodes(runtime.runner, journal, solve_request))
    runtime.host.spawn(LEARNER_ROLE, Learner(spec, runtime.roles, seed=seed))
