import gc
import os
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.scienceworld import simulator as module
from quintet.environments.scienceworld.simulator import SimulatorGame, Turns, simulator, way_finder
from quintet.errors import WorldFault
from tests.actors.environments.scienceworld.installed import needs_simulator

pytestmark = needs_simulator

WANDER = (
    "open door to hallway",
    "go to hallway",
    "open door to greenhouse",
    "wait1",
    "go to greenhouse",
    "wait1",
    "wait1",
)
"""Through rooms in which animals move as the generator draws."""


def seen(game: SimulatorGame, actions: tuple[str, ...] = WANDER) -> list[str]:
    return [game.step(action).seen + game.step("look around").seen for action in actions]


def test_games_of_one_process_do_not_disturb_each_other() -> None:
    alone = seen(SimulatorGame(simulator(), "find-animal", 3))
    first, second = (SimulatorGame(simulator(), "find-animal", 3) for _ in range(2))
    other = SimulatorGame(simulator(), "grow-fruit", 9)
    together = list[tuple[str, str]]()
    for action in WANDER:
        other.step("wait1")
        (one,), (two,) = seen(first, (action,)), seen(second, (action,))
        together.append((one, two))
    assert together == [(each, each) for each in alone]


def test_games_that_are_begun_in_other_threads_do_not_disturb_one() -> None:
    alone = seen(SimulatorGame(simulator(), "find-animal", 3))
    with ThreadPoolExecutor(3) as threads:
        begun = [threads.submit(SimulatorGame, simulator(), "chemistry-mix", number) for number in range(12)]
        beside = [seen(SimulatorGame(simulator(), "find-animal", 3)) for _ in range(3)]
    assert beside == [alone] * 3
    assert all(each.result().step("inventory").seen for each in begun)


def test_listing_actions_changes_nothing() -> None:
    plain, asked = (SimulatorGame(simulator(), "find-animal", 3) for _ in range(2))
    for action in WANDER:
        listed = asked.possible_actions()
        assert listed == asked.possible_actions()
        assert seen(asked, (action,)) == seen(plain, (action,))


def test_it_lists_actions_that_it_understands() -> None:
    game = SimulatorGame(simulator(), "lifespan-longest-lived", 94)
    listed = game.possible_actions()
    assert {"look around", "inventory", "wait1", "open door to hallway", "pick up shovel"} <= set(listed)
    assert not [each for each in listed if "bee 0" in each or "sewer" in each]


def test_the_packages_way_is_the_same_whatever_was_asked_before() -> None:
    first = way_finder().gold_path("find-non-living-thing", 0)
    way_finder().gold_path("lifespan-longest-lived", 94)
    assert way_finder().gold_path("find-non-living-thing", 0) == first


def test_java_frees_games_and_ways_that_nobody_holds_without_pythons_collector() -> None:
    java = simulator()
    held = [SimulatorGame(java, "boil", 0)]
    gc.collect()
    before = _megabytes(java)
    held.append(SimulatorGame(java, "boil", 0))
    one = _megabytes(java) - before
    assert one > 1
    gc.disable()
    try:
        for variation in range(8):
            SimulatorGame(java, "boil", variation).possible_actions()
            java.gold_path("boil", variation)
    finally:
        gc.enable()
    assert _megabytes(java) - before < 4 * one
    assert len(held) == 2


def _megabytes(java: Any) -> float:
    """What Java's objects take."""
    process = java._java.java.lang.Runtime.getRuntime()  # pyright: ignore[reportPrivateUsage]
    process.gc()
    taken: int = process.totalMemory() - process.freeMemory()
    return taken / 2**20


def test_games_go_on_while_a_way_is_looked_for() -> None:
    assert way_finder().process_id != simulator().process_id
    game = SimulatorGame(simulator(), "lifespan-longest-lived", 94)
    with way_finder().turn_of(SimulatorGame(way_finder(), "lifespan-longest-lived", 94)):
        assert game.step("inventory").seen.startswith("In your inventory")


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # py4j leaves the pipes of what did not start to the collector
@pytest.mark.parametrize("java", ["exit 1", "echo 1"], ids=["fails", "does not listen"])
def test_a_java_that_does_not_start_is_a_fault_in_words(
    java: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "java"
    broken.write_text(f"#!/bin/sh\n{java}\n")
    broken.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(module, "_STARTED", {})
    with pytest.raises(WorldFault, match=r"^scienceworld: expected Java to start the simulator, got ") as caught:
        simulator()
    del caught
    gc.collect()


def test_turns_go_to_who_asked_first() -> None:
    turns, taken = Turns(), list[int]()

    def take(number: int) -> None:
        with turns:
            taken.append(number)

    with ThreadPoolExecutor(3) as pool:
        with turns:
            for number in range(3):
                pool.submit(take, number)
                while len(turns._asked) < number + 2:  # pyright: ignore[reportPrivateUsage]  it does not wait yet
                    pass
        with turns:
            taken.append(3)
    assert taken == [0, 1, 2, 3]


START = """
import sys
from quintet.environments.scienceworld import simulator as module
from quintet.environments.scienceworld.simulator import SimulatorGame, simulator
SimulatorGame(simulator(), "boil", 0)
print(simulator().process_id, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_java_ends_with_the_process_however_that_ends_and_leaves_no_file(end: signal.Signals, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        java = int(process.stdout.readline())
        assert Path(f"/proc/{java}/cmdline").read_bytes().startswith(b"java")
        process.send_signal(end)
        process.wait()
        await_end(java)
    assert not [*tmp_path.iterdir(), *Path("/").glob("*.tsv")]


def await_end(process: int) -> None:
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    try:
        ended, *_ = select.select([handle], [], [], 60)
        assert ended, "expected Java to end"
    finally:
        os.close(handle)
