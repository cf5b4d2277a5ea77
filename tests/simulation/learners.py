"""Learning in simulations: AutoPlan on a few goals of TextCraft, with a model that says little."""

from quintet.journal.writer import SqliteJournal
from quintet.messages.learning import Learn
from quintet.messages.paths import LEARNER
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.plugins.catalogue import method
from quintet.ports.model import Model
from quintet.roles.registry import prompts_of, roles_of, with_models
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.incarnation import Planned
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from tests.simulation.scenes import Fetcher, Slow, spec_of

LEARN = Learn(training=("beehive", "lantern", "lectern", "comparator"), held_out=("cyan banner",), test=("purple bed",))


def learning_spec(model: Model | None = None, *, turns: int = 2, **options: object) -> RunSpec:
    """AutoPlan on TextCraft, some turns an episode, two batches of two tasks."""
    chosen = method("autoplan")
    requests = chosen.asks(learning="reward")
    roles = with_models(roles_of(requests))
    names = ("execute.thought", "execute.formalizer", *prompts_of(requests))
    return spec_of(
        chosen(chosen.options.model_validate({"max_steps": turns})),
        {name: f"Mind the {name}." for name in names},
        model or Slow(Fetcher()),
        roles=roles,
        learner=AutoPlanLearner(AutoPlanLearning.model_validate({"batch": 2, "select": "best", **options})),
    )


def with_learner(spec: RunSpec, runtime: Runtime, journal: SqliteJournal) -> list[Planned]:
    """Spawn the learner, and return its episode."""
    assert spec.learner is not None
    solve_request = EpisodeRequests(spec, learn=LEARN, version=journal.reader.version)
    spawn_learner(spec.learner, runtime, journal.reader, solve_request, seed=spec.seed)
    return [Planned(LEARNER, LEARN)]
