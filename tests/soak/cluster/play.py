"""Plays a run on Ray whose driver, host or node dies after a drawn commit, and resumes it until it has ended."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from tests.soak.cluster.nodes import RayNodes
from tests.soak.process.configurations import Configuration, draw_configuration
from tests.soak.process.endpoint import EndpointProcess
from tests.soak.process.found import Came, find
from tests.soak.process.life import LifePlan, play_life
from tests.soak.process.lives import ENDED, Played

Victim = Literal["host", "driver", "raylet"]

_SPREAD: Final = "search:candidates=3,depth=4,nodes=6,order=beam,spread=true"
_SECONDS: Final = 600.0
"""A driver that takes longer hangs."""
_MOST: Final = 3
"""Drivers that a scenario may take: the one that is disturbed, and what goes on after it."""


class RayScenario(Struct, frozen=True, kw_only=True):
    """All that a seed chooses."""

    configuration: Configuration
    placement: Literal["colocated", "per-role"]
    hosts: int
    concurrency: int
    victim: Victim
    share: float
    """After which commit it dies, of those of an undisturbed run."""

    @property
    def aspects(self) -> dict[str, str]:
        """What the report counts."""
        spread = "; spread" if "spread=true" in self.configuration.method else ""
        return {
            "method": self.configuration.label,
            "world": self.configuration.world,
            "placement": f"Ray, {self.placement}{spread}",
            "fault": f"SIGKILL of a {self.victim}",
            "budget": "none" if self.configuration.episode_calls is None else "calls of an episode",
        }


def draw(seed: int, victims: tuple[Victim, ...]) -> RayScenario:
    """The scenario of a seed."""
    chance = Random(f"ray {seed}")
    configuration = draw_configuration(chance)
    if chance.random() < 0.25:
        configuration = replace(configuration, method=_SPREAD, learning=(), world="textcraft", tasks=1)
    return RayScenario(
        configuration=configuration,
        placement=chance.choice(("colocated", "per-role")),
        hosts=chance.choice((1, 2)),
        concurrency=chance.choice((1, 4)),
        victim=chance.choice(victims),
        share=chance.random(),
    )


class RayPlayer:
    """Plays one scenario in a folder."""

    def __init__(self, scenario: RayScenario, folder: Path, port: int, whole: Came, nodes: RayNodes) -> None:
        self._scenario = scenario
        self._folder = folder
        self.run = folder / "run"
        self._nodes = nodes
        self._kill_at = 1 + int(scenario.share * whole.commits)
        self._url = f"http://127.0.0.1:{port}/v1"
        self._endpoint = EndpointProcess(folder, port, "")
        self.played = Played()

    def play(self) -> Played:
        """Run drivers until the run has ended."""
        raylet = self._nodes.add_node() if self._scenario.victim == "raylet" else None
        self._endpoint.start()
        try:
            self._live(self._kill_at, raylet)
            while self.played.endings[-1] not in ENDED and len(self.played.endings) < _MOST:
                self._live(0, None)
        finally:
            self._endpoint.stop()
            if raylet is not None:
                self._nodes.kill(raylet)
        if not self._nodes.without_hosts():
            self.played.broken.append(f"processes: expected no host left, got {self._nodes.hosts()}")
        return self.played

    def _live(self, kill_at: int, raylet: int | None) -> None:
        plan = LifePlan(
            words=tuple(self._words()), folder=str(self._folder), notify=(kill_at,) if kill_at else (), ray=True
        )
        ending = play_life(plan, _SECONDS, lambda driver: self._strike(driver, raylet))
        if ending.hung:
            self.played.broken.append(f"driver: expected its end within {_SECONDS:g} s, got none")
        self._note(ending.code)

    def _strike(self, driver: int, raylet: int | None) -> None:
        for victim in self._victims(driver, raylet):
            self._nodes.kill(victim)
            self.played.deaths += 1

    def _victims(self, driver: int, raylet: int | None) -> Sequence[int]:
        match self._scenario.victim:
            case "driver":
                return (driver,)
            case "raylet":
                return () if raylet is None else (raylet,)
            case "host":
                hosts = self._nodes.hosts()
                return hosts and [hosts[int(self._scenario.share * 1_000) % len(hosts)]]

    def _note(self, code: int) -> None:
        self.played.endings.append(code)
        self.played.budgets.append(None)
        self.played.left.append(find(self.run, self._folder))
        self.played.endpoint_died_last = True  # what a host that died had asked for is in no journal

    def _words(self) -> list[str]:
        scenario = self._scenario
        begun = (self.run / "run.json").exists()
        words = ["resume", str(self.run)] if begun else [*scenario.configuration.words(self._url, self.run)]
        on_ray = ("--ray-address", self._nodes.address, "--hosts", str(scenario.hosts))
        return [*words, *on_ray, "--placement", scenario.placement, "--concurrency", str(scenario.concurrency)]
