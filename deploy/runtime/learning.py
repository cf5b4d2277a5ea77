"""Where a run's learner lives: beside the driver, which it asks for episodes."""

from actors.learner import Learner
from deploy.journal.reader import JournalReader
from deploy.runtime.assembly import Taught
from deploy.runtime.episodes import Episodes
from deploy.runtime.incarnation import LEARNER_ROLE
from deploy.runtime.posing import Posing
from deploy.runtime.roles import EPISODES
from deploy.runtime.runtime import Runtime


def seat_learner(taught: Taught, runtime: Runtime, journal: JournalReader, pose: Posing, *, seed: int) -> None:
    """Spawn on the driver's host the learner and the role that runs episodes for it.

    Args:
        taught: how it learns.
        runtime: open.
        journal: of the run.
        pose: what episodes are asked.
        seed: of the run.
    """
    runtime.host.spawn(EPISODES, Episodes(runtime.runner, journal, pose))
    runtime.host.spawn(LEARNER_ROLE, Learner(taught.spec, taught.config, runtime.roles, seed=seed))
