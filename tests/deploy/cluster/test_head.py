"""When Ray's head is away, we suspend the run before Ray ends the process."""

import asyncio
import signal
from collections.abc import Iterator

import pytest

from quintet.cluster.head import Head
from tests.deploy.cluster.heads import RayHead, ray_head
from tests.deploy.cluster.programs import program
from tests.simulation.virtual import run


def _watch(answers: Iterator[bool], away: float = 60) -> tuple[str, float]:
    """Why a head with these answers was lost, and after how many seconds."""

    async def scene() -> tuple[str, float]:
        loop = asyncio.get_running_loop()
        head, lost = Head(away, loop.time), asyncio.Event()

        async def answer() -> bool:
            return next(answers)

        began = loop.time()
        async with asyncio.timeout(10_000):
            await head.watch(answer, lost.set)
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
