"""The runs of this kind: every method that can act in a world, with short episodes, nested ones and learners."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

WORLDS: Final = ("textcraft", "alfworld", "hotpotqa", "webshop")
_NUMBER = 600
"""So many configurations are drawn from, so that the undisturbed run of each serves many scenarios."""

_SMALL_TREE = "candidates=3,depth=4"
_LATS = f"{_SMALL_TREE},iterations=3,rollout_depth=3"
_METHODS: Final = (
    "react:max_steps=6",
    "standard:max_steps=6",
    "try_again:trials=2,inner.max_steps=3",
    "reflexion:trials=2,inner.max_steps=3",
    "plan_act:max_actions=5,trials=2",
    "devils_advocate:max_actions=4,trials=2",
    "devils_advocate:max_actions=4,trials=2,speculate=true",
    "plan_execute:inner.max_steps=3",
    "plan_execute:plan_form=collapsed,levels=2,inner.max_steps=2",
    "adapt:max_depth=2,inner.max_steps=3",
    "adapt:max_depth=2,or=parallel,inner.max_steps=3",
    "adapt(devils_advocate):max_depth=2,inner.max_actions=3,inner.trials=1",
    "adapt(reflexion):max_depth=2,inner.trials=2",
    "try_again(lats):trials=2,inner.iterations=2,inner.candidates=2,inner.depth=3,inner.rollout_depth=2",
    f"search:{_SMALL_TREE},nodes=6",
    f"search:{_SMALL_TREE},nodes=6,workers=3",
    f"search:{_SMALL_TREE},nodes=6,order=beam,scores=votes,siblings=true",
    f"lats:{_LATS}",
    f"lats:{_LATS},workers=3",
    f"lats:{_LATS},workers=3,order=rounds",
    "autoplan:max_steps=4",
    "expert",
)
_LEARNERS: Final = (
    ("autoplan:max_steps=3", ("learning.tasks=3", "learning.held_out=1", "learning.batch=1")),
    ("ldm2:max_steps=8,candidates=3,width=2", ("learning.tasks=2",)),
)
_FLOORS: Final = (("random:max_steps=6", "alfworld"), ("naive", "webshop"))
"""Methods that act in few worlds: in one of them."""
_RACING: Final = ("or=parallel", "speculate=true", "workers=3")
"""Options by which something runs at once and time decides which goes on."""


class Configuration(Struct, frozen=True, kw_only=True):
    """What a run is made of: all that its content depends on."""

    method: str
    """As the command takes it, with its options."""
    world: str
    model: str
    tasks: int
    seed: int
    episode_calls: int | None
    """The limit of each episode, by which it is cut short; None: none."""
    learning: tuple[str, ...] = ()
    """Settings of a run that learns; empty: it does not."""

    @property
    def label(self) -> str:
        """The method in the report."""
        name = self.method.partition(":")[0]
        return f"{name} (learning)" if self.learning else name

    @property
    def races(self) -> bool:
        """Whether time decides what it does, so that two undisturbed runs may differ."""
        return _races(self.method)

    @property
    def assignments(self) -> Sequence[str]:
        """Its further settings."""
        limits = [] if self.episode_calls is None else [f"limits.episode_calls={self.episode_calls}"]
        return (*self.learning, *limits, "model.max_tokens=200", "limits.repeats=9", "limits.patience_seconds=2")

    def words(self, url: str, folder: Path) -> Sequence[str]:
        """The command that begins the run."""
        verb = "optimize" if self.learning else "eval"
        set_flags = [word for setting in self.assignments for word in ("--set", setting)]
        model = ("--model", self.model, "--model-url", url)
        tasks = ("--tasks", str(self.tasks), "--seed", str(self.seed))
        return [verb, self.method, self.world, *model, *tasks, "--out", str(folder), *set_flags]


def _races(method: str) -> bool:
    return any(option in method for option in _RACING)


def draw_configuration(chance: Random) -> Configuration:
    """One of the configurations."""
    return configuration(chance.randrange(_NUMBER))


def configuration(number: int) -> Configuration:
    """The configuration of a number, of any size."""
    chance = Random(f"configuration {number}")
    choices: list[tuple[str, str, tuple[str, ...]]]
    choices = [*((each, chance.choice(WORLDS), ()) for each in _METHODS), *((*each, ()) for each in _FLOORS)]
    choices += [(method, chance.choice(WORLDS), settings) for method, settings in _LEARNERS] * 2
    method, world, learning = choices[number % len(choices)]
    # Where branches race, the last call that a limit leaves goes to one of them by time, and no run repeats another.
    limited = not learning and not _races(method) and chance.random() < 0.15
    return Configuration(
        method=method,
        world=world,
        model=chance.choice(("random", "sim-weak")),
        tasks=1 if learning else chance.randint(1, 4),
        seed=chance.randrange(3),
        episode_calls=chance.randint(2, 6) if limited else None,
        learning=learning,
    )
