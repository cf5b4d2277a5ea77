"""Real deaths on Ray: hosts, drivers and nodes, killed at drawn commits, before a real endpoint."""

import shutil
from functools import partial
from importlib.util import find_spec

from msgspec.structs import replace

from tests.soak.cluster.play import RayPlayer, Victim, draw
from tests.soak.scenario import Kind, Verdict


def check(seed: int, *, kind: str, victims: tuple[Victim, ...]) -> Verdict:
    """Play the scenario of a seed, and hold it to the promises of every scenario with real deaths."""
    from tests.soak.cluster.nodes import ray_nodes
    from tests.soak.process.checks import judge
    from tests.soak.process.draw import Scenario
    from tests.soak.process.nursery import own_nursery

    scenario, nursery = draw(seed, victims), own_nursery()
    whole = nursery.undisturbed(scenario.configuration)
    folder = nursery.new_folder(f"{kind}-{seed}")
    played = RayPlayer(scenario, folder, nursery.port, whole, ray_nodes()).play()
    held_to = Scenario(seed=seed, configuration=scenario.configuration, concurrency=scenario.concurrency, lives=())
    found = judge(kind, held_to, whole, played, folder, has_children=True)
    shutil.rmtree(folder)
    return replace(found, drawn=scenario.aspects)


def missing() -> str:
    """Why it cannot run here."""
    return "" if find_spec("ray") else "it needs Ray: pip install quintet-agents[ray]"


KINDS = (
    Kind("ray", partial(check, kind="ray", victims=("host", "host", "driver")), weight=1, missing=missing),
    Kind("raylet", partial(check, kind="raylet", victims=("raylet",)), weight=1, missing=missing),
)
