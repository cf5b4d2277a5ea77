"""Real deaths on Ray: hosts, drivers and nodes, killed at drawn commits, before a real endpoint."""

import shutil
from functools import partial
from importlib.util import find_spec

from tests.soak.cluster.play import RayPlayer, Victim, draw
from tests.soak.scenario import Kind, Verdict


def check(seed: int, *, kind: str, victims: tuple[Victim, ...]) -> Verdict:
    """Play the scenario of a seed, and hold it to the promises of every scenario with real deaths."""
    from tests.soak.cluster.nodes import ray_nodes
    from tests.soak.process.checks import broken_promises, repeated_calls
    from tests.soak.process.draw import Scenario
    from tests.soak.process.nursery import own_nursery

    scenario, nursery = draw(seed, victims), own_nursery()
    whole = nursery.undisturbed(scenario.configuration)
    folder = nursery.new_folder(f"{kind}-{seed}")
    played = RayPlayer(scenario, folder, nursery.port, whole, ray_nodes()).play()
    held_to = Scenario(seed=seed, configuration=scenario.configuration, concurrency=scenario.concurrency, lives=())
    broken = [*broken_promises(held_to, whole, played, folder)]
    repeated = repeated_calls(played, folder)
    if repeated:
        broken.append(f"calls: expected no committed call to be asked again, got {repeated}")
    shutil.rmtree(folder)
    return Verdict(
        kind=kind,
        seed=seed,
        drawn=scenario.aspects,
        deaths=played.deaths,
        calls=played.left[-1].committed.total(),
        repeated=repeated,
        broken=tuple(broken),
    )


def missing() -> str:
    """Why it cannot run here."""
    return "" if find_spec("ray") else "it needs Ray: pip install quintet-agents[ray]"


KINDS = (
    Kind("ray", partial(check, kind="ray", victims=("host", "host", "driver")), weight=1, missing=missing),
    Kind("raylet", partial(check, kind="raylet", victims=("raylet",)), weight=1, missing=missing),
)
