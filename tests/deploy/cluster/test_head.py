"""When Ray's head is away, we suspend the run before Ray ends the process."""

import asyncio
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from ray.exceptions import GetTimeoutError

from quintet.cluster.head import AWAY_SECONDS, Head
from quintet.errors import HostLost
from quintet.runs.ends import EXIT_CODES
from tests.deploy.cluster.heads import RayHead, ray_head
from tests.deploy.cluster.programs import program, soon
from tests.faulty.committed import committed
from tests.simulation.virtual import run
from tests.test_packaging import COMMAND


def _watch(answers: Iterator[bool], away: float = 60) -> tuple[str, float]:
    """Why a head with these answers was lost, and after how many seconds."""

    async def scene() -> tuple[str, float]:
        loop = asyncio.get_running_loop()
        lost = asyncio.Event()

        async def answer() -> bool:
            return next(answers)

        head = Head(away, answer, loop.time)
        began = loop.time()
        async with asyncio.timeout(10_000):
            await head.watch(lost.set)
        assert lost.is_set()
        return head.lost, loop.time() - began

    return run(scene())


def _never() -> Iterator[bool]:
    while True:
        yield False


def _after(times: int) -> Iterator[bool]:
    yield from [True] * times
    yield from [False] * 10
    yield True
    yield from _never()


def test_a_head_that_is_away_for_a_minute_is_lost() -> None:
    said, seconds = _watch(_never())
    assert said == "Ray's head did not answer for 60 s; everything on its cluster is lost"
    assert 60 <= seconds <= 65


def test_a_head_that_comes_back_in_time_is_not() -> None:
    _, seconds = _watch(_after(3))
    assert 120 < seconds <= 130


@pytest.mark.parametrize("there", [True, False])
def test_ray_is_asked_only_while_its_head_answers(*, there: bool) -> None:
    async def answer() -> bool:
        return there

    async def scene() -> str:
        asked: list[str] = []
        with suppress(HostLost):
            await Head(60, answer).ask(lambda: asked.append("asked"))
        return "".join(asked)

    assert asyncio.run(scene()) == ("asked" if there else "")


def test_an_error_of_ray_is_a_loss_like_silence_so_that_nobody_who_asks_again_later_ends_by_it() -> None:
    async def answer() -> bool:
        return True

    def fail() -> None:
        raise GetTimeoutError("too late")

    with pytest.raises(HostLost, match="Ray's head answered by an error: too late"):
        asyncio.run(Head(60, answer).ask(fail))


@pytest.fixture
def head() -> Iterator[RayHead]:
    with ray_head() as started:
        yield started


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
@pytest.mark.parametrize(
    ("number", "code"),
    [pytest.param(signal.SIGKILL, 0, id="killed"), pytest.param(signal.SIGSTOP, 130, id="silent")],
)
def test_a_run_on_a_cluster_that_lost_its_head_is_suspended_and_its_process_says_so_and_ends(
    head: RayHead, number: signal.Signals, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_gcs_rpc_server_reconnect_timeout_s", "4")  # by which Ray would have ended the process
    with program("headless", head.address) as driver:
        driver.said("open")
        head.signal_control(number)
        assert driver.said("suspended").startswith("Ray's head did not answer for 8 s")
        assert driver.said("after") == "the report"
        assert driver.process.wait(30) == code


SLOW = """
import asyncio
from quintet.ports.model import Completion

class Slow:
    name = "slow"

    async def complete(self, prompt, sampling):
        await asyncio.sleep(1)
        return Completion(text="Action: inventory")
"""


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.xdist_group("ray")
def test_a_command_whose_head_is_killed_during_calls_ends_as_interrupted_with_the_reason_and_how_to_go_on(
    head: RayHead, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["eval", "react", "textcraft", "--model", "slow.py:Slow", "--out", "ours", "--hosts", "2"]
    with (tmp_path / "said").open("w") as said:
        running = subprocess.Popen(
            [COMMAND, *words, "--ray-address", head.address], cwd=tmp_path, stdout=said, stderr=said
        )
    with running:
        try:
            assert soon(lambda: "hosts: " in (tmp_path / "said").read_text(), 60)
            assert soon(lambda: bool(committed(tmp_path / "ours")), 60)
            head.signal_control(signal.SIGKILL)
            assert running.wait(90) == EXIT_CODES["interrupted"]
        finally:
            running.kill()
    text = (tmp_path / "said").read_text()
    assert f"interrupted: Ray's head did not answer for {AWAY_SECONDS:.0f} s" in text
    assert re.search("to go on: .*quintet resume ours", text)
