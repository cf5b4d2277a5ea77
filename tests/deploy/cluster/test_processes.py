"""Whole processes: what is left of them after a signal, and where a runtime may be opened."""

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import ray

from deploy.cluster.cluster import Cluster

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

ROOT = Path(__file__).parents[3]
MARK = "QUINTET_TEST_MARK"


class Program:
    """A program under test. Whatever it starts carries its mark in the environment, also when it is orphaned."""

    def __init__(self, what: str, *address: str) -> None:
        self._mark = f"{MARK}={uuid.uuid4().hex}"
        name, _, value = self._mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.deploy.cluster.program", what, *address],
            cwd=ROOT,
            env=os.environ | {name: value, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def said(self, word: str) -> str:
        """The rest of the line that begins with a word, once it is there."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(f"{word} "):
                return line[len(word) + 1 :].strip()
        raise AssertionError(f"{word!r} was not said; exit code {self.process.wait()}")

    def alive(self) -> list[int]:
        """Processes of the program's that are no zombies."""
        found: list[int] = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                ours = self._mark.encode() in (process / "environ").read_bytes()
                if ours and ") Z " not in (process / "stat").read_text():
                    found.append(int(process.name))
        return found


@contextmanager
def program(what: str, *address: str) -> Generator[Program, None, None]:
    running = Program(what, *address)
    with running.process:
        try:
            yield running
        finally:
            for pid in running.alive():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def soon(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_after_sigkill_of_the_driver_every_process_of_a_ray_of_its_own_ends_within_ten_seconds() -> None:
    with program("forever") as driver:
        driver.said("open")
        assert len(driver.alive()) > 5
        driver.process.kill()
        assert soon(lambda: driver.alive() == []), driver.alive()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_after_a_signal_to_the_whole_group_the_driver_leaves_and_no_process_is_left(number: signal.Signals) -> None:
    with program("forever") as driver:
        driver.said("open")
        os.killpg(driver.process.pid, number)
        assert driver.said("left") == "True"
        assert driver.process.wait(10) == 0
        assert driver.alive() == []


def test_a_driver_killed_while_it_starts_leaves_no_process() -> None:
    with program("forever") as driver:
        assert soon(lambda: len(driver.alive()) > 2, 30)
        driver.process.kill()
        assert soon(lambda: driver.alive() == []), driver.alive()


def test_after_sigkill_of_the_driver_its_hosts_on_a_joined_cluster_end_within_ten_seconds(
    local_cluster: Cluster,
) -> None:
    def hosts() -> list[str]:
        named = ray.util.list_named_actors(all_namespaces=True)
        return sorted(actor["name"] for actor in named if actor["namespace"] == namespace)

    with program("forever", ray.get_runtime_context().gcs_address) as driver:
        namespace = driver.said("open")
        assert re.fullmatch(r"quintet-test-[0-9a-f]{6}", namespace)
        assert hosts() == ["environment", "executor", "subtask"]
        driver.process.kill()
        assert soon(lambda: hosts() == []), hosts()


@pytest.mark.parametrize("where", ["after-ray-init", "inside-an-actor"])
def test_a_runtime_opens_where_ray_is_in_use_already(where: str) -> None:
    with program(where) as driver:
        assert driver.said("ended") == "2"
        if where == "after-ray-init":
            assert driver.said("still connected") == "True"
        assert driver.process.wait(20) == 0


def test_ray_lists_the_hosts_of_a_run_by_their_roles() -> None:
    with program("listed") as driver:
        actors = driver.said("actors").split()
        assert actors == ["RayHost:environment:ALIVE", "RayHost:executor:ALIVE", "RayHost:subtask:ALIVE"]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", driver.said("dashboard"))
        assert driver.said("ended") == "2"
        assert driver.process.wait(20) == 0
        assert driver.alive() == []
