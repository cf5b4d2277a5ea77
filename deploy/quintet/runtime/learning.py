"""Where a run's learner lives: beside the driver, which it asks for episodes."""

from quintet.journal.reader import JournalReader
from quintet.roles.learner import Learner
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import Episodes
from quintet.runtime.incarnation import LEARNER_ROLE
from quintet.runtime.roles import EPISODES
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import LearnerSetup


def seat_learner(
    taught: LearnerSetup, runtime: Runtime, journal: JournalReader, solve_request: EpisodeRequests, *, seed: int
) -> None:
    """Spawn on the driver's host the learner and the role that runs episodes for it.

    Args:
        taught: how it learns.
        runtime: open.
        journal: of the run.
        pose: what episodes are asked.
        seed: of the run.
    """
    runtime.host.spawn(EPISODES, Episodes(runtime.runner, journal, solve_request))
    runtime.host.spawn(LEARNER_ROLE, Learner(taught.spec, taught.config, runtime.roles, seed=seed))
