"""Surroundings that are not as they should be: a clock that jumps, slow disks, no home, no `/dev/shm`, two writers."""

import os
import shutil
from pathlib import Path
from random import Random
from typing import Final, get_args

from msgspec.structs import replace

from tests.soak.process.checks import judge
from tests.soak.process.configurations import Configuration, draw_configuration
from tests.soak.process.draw import Scenario
from tests.soak.process.endpoint import EndpointProcess
from tests.soak.process.found import find
from tests.soak.process.life import LifePlan
from tests.soak.process.lives import Played
from tests.soak.process.nursery import own_nursery
from tests.soak.scenario import Kind, Verdict
from tests.soak.surroundings.disturbed import NOT_ALLOWED, Surroundings, disturb, start_disturbed

_TWO: Final[Surroundings] = "two writers of one run"
_IN_USE: Final = 2
"""The exit code of a second writer."""


def check(seed: int) -> Verdict:
    """Run what the seed draws in its surroundings, and hold it to the promises of every scenario."""
    chance = Random(f"surroundings {seed}")
    what, configuration = chance.choice(get_args(Surroundings)), draw_configuration(chance)
    nursery = own_nursery()
    whole = nursery.undisturbed(configuration)
    folder = nursery.new_folder(f"surroundings-{seed}")
    endpoint = EndpointProcess(folder, nursery.port, "")
    endpoint.start()
    try:
        codes = _run(what, seed, configuration, f"http://127.0.0.1:{nursery.port}/v1", folder)
    finally:
        endpoint.stop()
    played = Played(endings=codes[-1:], left=[find(folder / "run", folder)], budgets=[None])
    held_to = Scenario(seed=seed, configuration=configuration, concurrency=1, lives=())
    found = judge("surroundings", held_to, whole, played, folder)
    if codes[:-1] != [_IN_USE] * (what == _TWO):
        other = f"processes: expected one to write and any other to be refused (2), got exit codes {codes}"
        found = replace(found, broken=(*found.broken, other))
    shutil.rmtree(folder)
    drawn = {"method": configuration.label, "world": configuration.world, "placement": "local", "fault": what}
    return replace(found, drawn=drawn)


def _run(what: Surroundings, seed: int, configuration: Configuration, url: str, folder: Path) -> list[int]:
    """The exit codes of the processes, that of the one that ended the run last."""
    plan = LifePlan(words=tuple(configuration.words(url, folder / "run")), folder=str(folder))
    started = [start_disturbed(what, seed, plan) for _ in range(2 if what == _TWO else 1)]
    return sorted((os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in started), reverse=True)


def missing() -> str:
    """Why it cannot run here."""
    process = os.fork()
    if not process:
        try:
            disturb("no /dev/shm", 0)
        except OSError:
            os._exit(NOT_ALLOWED)
        os._exit(0)
    refused = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return "it needs to take /dev/shm away: be root, in a container that allows it" if refused else ""


KIND = Kind("surroundings", check, weight=1, missing=missing)
