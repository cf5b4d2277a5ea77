"""Whole processes: what a signal leaves of them, and where a runtime may be opened."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.cluster.programs import ROOT, program, soon

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]


@pytest.mark.slow
def test_after_sigkill_of_the_driver_every_process_of_a_ray_of_its_own_ends_within_ten_seconds() -> None:
    with program("forever") as driver:
        driver.said("open")
        assert len(driver.alive()) > 5
        driver.process.kill()
        assert soon(lambda: driver.alive() == []), driver.alive()


@pytest.mark.slow
def test_a_ray_of_its_own_listens_on_the_loopback_address_only() -> None:
    with program("forever") as driver:
        driver.said("open")
        sockets = {link for number in driver.alive() for link in _links(Path(f"/proc/{number}/fd"))}
        table = "".join(Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6"))
        rows = [line.split() for line in table.splitlines()]
        listening = {row[1].partition(":")[0] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets}
    assert listening
    assert listening <= {"0100007F", f"{'0' * 16}FFFF00000100007F", f"{'0' * 24}01000000"}, "127.0.0.1, twice, and ::1"


def _links(folder: Path) -> Iterator[str]:
    for entry in folder.iterdir():
        with suppress(OSError):
            yield str(entry.readlink())


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_after_a_signal_to_the_whole_group_the_driver_leaves_and_no_process_is_left(number: signal.Signals) -> None:
    with program("forever") as driver:
        driver.said("open")
        os.killpg(driver.process.pid, number)
        assert driver.said("left") == "True"
        assert driver.process.wait(10) == 0
        assert driver.alive() == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_is_stopped_while_it_starts_leaves_no_process(number: signal.Signals) -> None:
    with program("forever") as driver:
        assert soon(lambda: len(driver.alive()) > 2, 30)
        driver.process.send_signal(number)
        assert soon(lambda: driver.alive() == [], 30), driver.alive()


@pytest.mark.slow
def test_a_runtime_opens_in_a_process_and_in_an_actor_that_use_ray_already_and_leaves_it_alone(
    one_node: Any,
) -> None:
    with program("in-use", one_node.address) as driver:
        assert driver.said("ended here") == "2"
        assert driver.said("ended in an actor") == "2"
        assert driver.process.wait(20) == 0
        assert driver.alive() == []


@pytest.mark.slow
def test_ray_lists_the_critics_of_a_method_in_a_file_by_their_roles() -> None:
    """The file is in no folder that Ray's workers import from: its code travels with the run."""
    with program("debates", f"{ROOT / 'examples' / 'debate.py'}:Debate") as driver:
        names = ("environment", "executor", "minimalist", "optimist", "skeptic", "subtask")
        assert driver.said("actors").split() == [f"RayHost:{name}:ALIVE" for name in names]
        assert driver.said("ended") == "1"
        assert driver.said("phases") == "minimalist optimist react/execute skeptic"
        assert driver.process.wait(20) == 0
        assert driver.alive() == []


@pytest.mark.slow
def test_ray_lists_the_hosts_of_a_run_by_their_roles() -> None:
    with program("listed") as driver:
        actors = driver.said("actors").split()
        assert actors == ["Environment:environment:ALIVE", "Executor:executor:ALIVE", "Subtask:subtask:ALIVE"]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", driver.said("dashboard"))
        assert driver.said("ended") == "2"
        assert driver.process.wait(20) == 0
        assert driver.alive() == []
