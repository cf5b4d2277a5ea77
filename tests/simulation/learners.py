"""What the simulations learn: AutoPlan on a few goals of TextCraft, with a model that says little."""

from actors.catalogue import method, world
from deploy.journal.writer import SqliteJournal
from deploy.runtime.assembly import Assembly, Taught
from deploy.runtime.learning import seat_learner
from deploy.runtime.planned import Planned
from deploy.runtime.posing import Posing
from deploy.runtime.runtime import Runtime
from protocols.learning import Learn
from protocols.models import Model, Sampling
from protocols.paths import LEARNER
from tests.simulation.scenes import Fetcher, Slow

LEARN = Learn(training=("beehive", "lantern", "lectern", "comparator"), held_out=("cyan banner",), test=("purple bed",))


def apprentice(model: Model | None = None, *, turns: int = 2, **options: object) -> Assembly:
    """AutoPlan on TextCraft, some turns an episode, two batches of two tasks."""
    chosen = method("autoplan")
    learning = chosen.learning
    assert learning is not None
    roles = chosen.asks(learning=True)
    names = ("executor", "thought", "formalizer", "reflector", "summary", "flaw", "revision", "planner", "update")
    return Assembly(
        method=chosen,
        config=chosen.config(max_steps=turns),
        world=world("textcraft"),
        models=dict.fromkeys(roles, model or Slow(Fetcher())),
        sampling=dict.fromkeys(roles, Sampling()),
        prompts={name: f"Mind the {name}." for name in names},
        seed=0,
        learning=Taught(learning, learning.config(**{"batch": 2, "select": "best", **options})),
    )


def seated(assembly: Assembly, runtime: Runtime, journal: SqliteJournal) -> list[Planned]:
    """The learner in its place, and what is to be run."""
    assert assembly.learning is not None
    pose = Posing(assembly, learn=LEARN, version=journal.reader.version)
    seat_learner(assembly.learning, runtime, journal.reader, pose, seed=assembly.seed)
    return [Planned(LEARNER, LEARN)]
