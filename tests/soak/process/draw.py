"""Draws a scenario from its seed: a run, what kills its processes and where, and what else disturbs it."""

from collections.abc import Sequence
from random import Random
from typing import Literal

from msgspec import Struct

from tests.soak.process.configurations import Configuration, draw_configuration

Moment = Literal["before", "inside", "after", "between"]
"""Of a death, around one commit: before its transaction, inside it, after the commit and before its acknowledgement, or
by another process some time after it."""
Blow = Literal["SIGKILL", "SIGTERM", "SIGINT", "SIGTERM twice"]
Order = Literal["pause", "resume", "stop", "concurrency", "calls", "requeue"]
"""What an operator asks for."""


class Death(Struct, frozen=True, kw_only=True):
    """How and where a process dies."""

    blow: Blow
    moment: Moment
    share: float
    """Which commit, of those that are left: in [0, 1)."""


class Life(Struct, frozen=True, kw_only=True):
    """One process that runs the run, and what is done to it."""

    death: Death | None = None
    disk: float | None = None
    """The size at which no file grows any more, as a share of the undisturbed run's largest; None: no limit."""
    orders: tuple[Order, ...] = ()
    ordered: float = 0.0
    """After which commit they are given, as `Death.share`."""
    endpoint_dies: float | None = None
    """The endpoint dies at this request, as a share of those of an undisturbed run; None: it lives."""
    endpoint_moment: Literal["asked", "answered"] = "asked"
    """Whether it dies before or after it made the completion, which is not sent in either case."""
    endpoint_returns: bool = True
    """Whether another one takes its place at once; else only for the next process."""


class Scenario(Struct, frozen=True, kw_only=True):
    """All that a seed chooses."""

    seed: int
    configuration: Configuration
    concurrency: int
    budget: tuple[float, ...] = ()
    """Limits of the run's tokens, one after the other, as shares of what the undisturbed run used; empty: none."""
    budget_usd: bool = False
    """Whether it is set in dollars."""
    faults: str = ""
    """That the endpoint injects."""
    fresh: bool = False
    """Whether its processes are started anew and not forked."""
    lives: tuple[Life, ...]
    """Those that are disturbed; further ones, undisturbed, take the run to its end."""

    def disk_at(self, number: int) -> float | None:
        """The limit of files of a process, counted from 1."""
        return self.lives[number - 1].disk if number <= len(self.lives) else None

    @property
    def aspects(self) -> dict[str, str]:
        """What the report counts."""
        deaths = [each.death for each in self.lives if each.death is not None]
        faults = {
            *(f"{each.blow} {each.moment}" for each in deaths),
            *("full disk" for each in self.lives if each.disk is not None),
            *("endpoint dies" for each in self.lives if each.endpoint_dies is not None),
            *("operator" for each in self.lives if each.orders),
            *(["endpoint stumbles"] if self.faults else []),
        }
        budget = ("usd" if self.budget_usd else "tokens") if self.budget else "none"
        return {
            "method": self.configuration.label,
            "world": self.configuration.world,
            "placement": "fresh process" if self.fresh else "local",
            "fault": "; ".join(sorted(faults)) or "none",
            "budget": budget if self.configuration.episode_calls is None else f"{budget}; calls of an episode",
        }


_BLOWS: Sequence[Blow] = ("SIGKILL", "SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGTERM twice")
MOMENTS: Sequence[Moment] = ("before", "inside", "after", "between")
_ORDERS: Sequence[tuple[Order, ...]] = (
    ("pause",),
    ("pause", "resume"),
    ("stop",),
    ("concurrency",),
    ("calls",),
    ("pause", "calls", "resume"),
    ("requeue",),
)
_STUMBLES = ("429:0.2,retry-after=0.01", "500:0.1,503:0.1,retry-after=0.01", "garbage:0.15", "drop:0.2", "401@5")


def draw(seed: int) -> Scenario:
    """The scenario of a seed."""
    chance = Random(f"process {seed}")
    configuration = draw_configuration(chance)
    number = chance.choice((1, 1, 1, 2, 2, 3, 4))
    return Scenario(
        seed=seed,
        configuration=configuration,
        concurrency=chance.choice((1, 2, 4, 16)),
        budget=draw_budget(chance),
        budget_usd=chance.random() < 0.4,
        faults=chance.choice(_STUMBLES) if chance.random() < 0.15 else "",
        fresh=chance.random() < 0.02,
        lives=tuple(_life(chance, configuration) for _ in range(number)),
    )


def draw_budget(chance: Random) -> tuple[float, ...]:
    """See `Scenario.budget`."""
    if chance.random() >= 0.3:
        return ()
    return tuple(sorted(chance.random() for _ in range(chance.randint(1, 2))))


def _life(chance: Random, configuration: Configuration) -> Life:
    kind = chance.random()
    if kind < 0.72:
        return Life(death=_death(chance))
    if kind < 0.80:
        return Life(disk=chance.random())
    if kind < 0.90:
        return Life(
            endpoint_dies=chance.random(),
            endpoint_moment=chance.choice(("asked", "answered")),
            endpoint_returns=chance.random() < 0.7,
        )
    orders = chance.choice(_ORDERS)
    if orders == ("requeue",) and (configuration.learning or configuration.races):
        orders = ("pause", "resume")  # a second attempt would begin another run
    last = "resume" in orders or "pause" not in orders
    death = _death(chance) if not last or chance.random() < 0.5 else None
    return Life(orders=orders, ordered=chance.random(), death=death)


def _death(chance: Random) -> Death:
    return Death(blow=chance.choice(_BLOWS), moment=chance.choice(MOMENTS), share=chance.random())
