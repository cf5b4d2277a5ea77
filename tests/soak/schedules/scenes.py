"""What the schedules run: short scenes, each of some tens of requests, so that a schedule costs little."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from quintet.config.settings import from_table
from quintet.journal.writer import SqliteJournal
from quintet.launch.prepare import prepare
from quintet.memory.actor import MemoryStore
from quintet.messages.learning import Learn
from quintet.messages.paths import LEARNER, Path, attempt_of, episode_path
from quintet.messages.solving import Solve
from quintet.plugins.catalogue import model
from quintet.ports.model import Model
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.episodes import spawn_learner
from quintet.runtime.incarnation import Planned
from quintet.runtime.roles import STORE
from quintet.runtime.runtime import Runtime
from quintet.runtime.spec import RunSpec
from quintet.testing.replay import with_model
from tests.simulation.learners import learning_spec
from tests.simulation.memories import Diarist, memory_spec
from tests.simulation.scenes import Doubtful, Explorer, Fetcher, Slow, adapt, contest, search, tree
from tests.soak.schedules.watch import Watch
from tests.soak.schedules.watched import WatchedModel, WatchedWorld

GOALS = ("beehive", "lantern", "lectern", "cyan banner", "comparator", "purple bed")


class Scene(NamedTuple):
    """A run that is cheap to simulate."""

    make: Callable[[], RunSpec]
    """The run; its model is replaced."""
    model: Callable[[], Model]
    weight: int
    """Schedules of it among all scenes' weights."""
    most: int = 2
    """Episodes."""
    seconds: float = 12.0
    """How long an episode takes without faults."""
    events: int = 30
    """How many an episode commits."""
    races: bool = False
    """Whether its decisions may depend on which branch ends first."""
    loss: float = 0.02
    """The most of its messages that are lost: of a long one some always are, and it would never end."""
    learn: Learn | None = None
    """What its learner learns from; None: it has none."""


_LATS: dict[str, Any] = {"iterations": 2, "rollout_depth": 1, "candidates": 2, "depth": 3, "workers": 2, "spread": True}
_FEW: dict[str, Any] = {"candidates": 2, "depth": 2}
_AT_ONCE: dict[str, Any] = {"or": "parallel"}


def _weak() -> Model:
    return model("sim-weak")


def _nested() -> RunSpec:
    method = {"name": "adapt(devils_advocate)", "max_depth": 1, "inner": {"max_actions": 2, "trials": 1}}
    named = {"environment": {"name": "textcraft"}, "run": {"seed": 0}}
    return prepare([from_table({"method": method, **named}, "scene")]).spec


_PLANS = Learn(training=("beehive", "lantern"), held_out=("lectern",), test=("purple bed",))
_MEMORY = Learn(training=("stick", "bowl", "bucket"), held_out=(), test=("bread",))

SCENES = {
    "contest": Scene(lambda: contest(runners=2), Fetcher, 4, seconds=6, events=26, races=True),
    "spread contest": Scene(lambda: contest(runners=2, spread=True), Fetcher, 4, seconds=6, events=26, races=True),
    "tree": Scene(lambda: tree(width=2, levels=1), Fetcher, 3, seconds=5, events=34),
    "adapt": Scene(lambda: adapt(_weak(), max_depth=2, max_steps=2), _weak, 5),
    "adapt with rollback": Scene(lambda: adapt(_weak(), max_depth=2, max_steps=2, rollback=True), _weak, 2),
    "alternatives": Scene(
        lambda: adapt(_weak(), max_depth=2, max_steps=2, **_AT_ONCE), lambda: Doubtful(_weak()), 4, races=True
    ),
    "nested": Scene(_nested, _weak, 2, most=1, seconds=20, events=20, loss=0.003),
    "lats": Scene(lambda: search("lats", Explorer(), **_LATS, order="rounds"), Explorer, 4, seconds=9, events=22),
    "lats by ends": Scene(lambda: search("lats", Explorer(), **_LATS), Explorer, 4, seconds=9, races=True),
    "beam": Scene(
        lambda: search("search", Explorer(), order="beam", siblings=True, width=2, **_FEW), Explorer, 2, events=20
    ),
    "best first": Scene(lambda: search("search", Explorer(), nodes=3, workers=2, **_FEW), Explorer, 2, races=True),
    "plans": Scene(
        lambda: learning_spec(turns=1, batch=1, eval_every=2, select="last"),
        Fetcher,
        2,
        most=0,
        seconds=20,
        events=60,
        loss=0.003,
        learn=_PLANS,
    ),
    "memory": Scene(
        lambda: memory_spec(turns=2, batch=1, goals=1, eval_every=1),
        Diarist,
        2,
        most=0,
        seconds=30,
        events=150,
        loss=0.003,
        learn=_MEMORY,
    ),
}


@cache
def spec_of(name: str) -> RunSpec:
    """The run of a scene."""
    return SCENES[name].make()


def watched_spec(name: str, watch: Watch, failures: float) -> RunSpec:
    """The same with a model and a world that tell a watch what happens; see `WatchedModel`."""
    model = WatchedModel(Slow(SCENES[name].model()), watch, failures)
    return replace(with_model(spec_of(name), model), world=WatchedWorld(watch))


def planned_for(
    scene: Scene, runtime: Runtime, journal: SqliteJournal, goals: tuple[str, ...], store: MemoryStore | None
) -> list[Planned]:
    """What is left to run: an episode a goal, and the attempts that an operator asked for; or the learner."""
    if scene.learn is not None:
        return [_learner(scene.learn, runtime, journal, store)]
    rows = {row.path: row for row in journal.reader.episodes()}
    paths = {episode_path(goal, 0, 0): goal for goal in goals}
    paths.update({path: row.task for path, row in rows.items() if row.attempt})
    ended = {path for path, row in rows.items() if row.state is not None}
    return [attempt_at(runtime.spec, path) for path in paths if path not in ended]


def attempt_at(spec: RunSpec, path: Path) -> Planned:
    """An attempt at an episode."""
    task, epoch, _ = attempt_of(path)
    return Planned(path, Solve(task=spec.task(task, epoch)))


def _learner(learn: Learn, runtime: Runtime, journal: SqliteJournal, store: MemoryStore | None) -> Planned:
    assert runtime.spec.learner is not None
    if store is not None:
        runtime.host.spawn(STORE, store)
    requests = EpisodeRequests(runtime.spec, learn=learn, version=journal.reader.version)
    spawn_learner(runtime.spec.learner, runtime, journal.reader, requests, seed=runtime.spec.seed)
    return Planned(LEARNER, learn)
