"""The operator: names of episodes, refusals, and resumes."""

import asyncio
import io
from pathlib import Path as FilePath
from types import SimpleNamespace
from typing import cast

import pytest

from quintet.cli.console import console
from quintet.cli.progress import Progress
from quintet.control.messages import (
    CancelEpisode,
    ChangeSettings,
    CommandDone,
    CommandRefused,
    GetStatus,
    Pause,
    RequeueEpisode,
    Resume,
    RunStatus,
    SetPace,
    StopRun,
)
from quintet.control.operator import LiveSettings, Operator
from quintet.errors import BudgetSpent, Suspension
from quintet.events import EpisodeEnded
from quintet.journal.feed import Feed
from quintet.journal.writer import SqliteJournal
from quintet.launch.tally import RunTally
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import LEARNER, Path
from quintet.messages.quota import Charge
from quintet.messages.solving import Solve
from quintet.ports.model import Usage
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota, rates_of
from quintet.runs.record import RunRecord
from quintet.runtime.counters import RunCounters
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from tests.deploy import samples
from tests.deploy.quota.test_quota import free
from tests.simulation.scenes import Fetcher, Slow, contest
from tests.simulation.test_operating import until
from tests.simulation.virtual import run


class Scene:
    """A run of two episodes in virtual time, one at a time, with an operator."""

    def __init__(self, folder: WritableRun | None = None) -> None:
        writable = folder or cast("WritableRun", SimpleNamespace(change=None))
        self.counters = RunCounters()
        self.journal = SqliteJournal(":memory:", RunTally(Feed(), self.counters, {}, None))
        self.spec: RunSpec = contest(model=Slow(Fetcher()))
        self.record: RunRecord = samples.record("react", ("beehive", "lantern", "stick"))
        self.limiters = LocalLimiters(RateLimits())
        self.budget = Budget(Allowance(), Allowance(), free, self.journal.charges)
        quota = Quota(self.limiters.limiter, self.budget)
        self.runtime = LocalRuntime(self.spec, self.journal, concurrency=1, quota=quota)
        self.operator = Operator(
            self.record,
            EpisodeRequests(self.spec),
            self.journal.reader,
            self.runtime.runner,
            quota,
            LiveSettings(writable, writable.change, self.runtime.runner, quota, self.limiters),
            self.counters,
        )

    async def run(self, *goals: str) -> list[EpisodeEnded]:
        planned = [Planned(Path(f"{goal}/0/0"), Solve(task=self.spec.task(goal, 0))) for goal in goals]
        async with self.runtime:
            return [end async for end in self.runtime.run(planned)]

    async def status(self) -> RunStatus:
        status = await self.operator.answer(GetStatus())
        assert isinstance(status, RunStatus)
        return status

    async def refusal(self, command: CancelEpisode | RequeueEpisode) -> str:
        reply = await self.operator.answer(command)
        assert isinstance(reply, CommandRefused)
        return reply.reason


async def test_an_attempt_that_began_just_now_is_the_newest() -> None:
    here = Scene()
    again = Planned(Path("beehive/0/1"), Solve(task=here.spec.task("beehive", 0)))
    async with here.runtime:
        end = asyncio.ensure_future(anext(here.runtime.run([again])))
        while not here.runtime.runner.under_way:  # noqa: ASYNC110  in virtual time
            await asyncio.sleep(0)
        assert list(here.journal.reader.episodes()) == []
        assert isinstance(await here.operator.answer(CancelEpisode(episode="beehive")), CommandDone)
        assert (await end).path == again.path


async def test_the_status_lists_running_queued_and_done_episodes() -> None:
    here = Scene()
    running = asyncio.create_task(here.run("beehive", "lantern"))
    await asyncio.sleep(1)
    status = await here.status()
    assert (status.episodes, status.done, status.concurrency, status.paused) == (3, 0, 1, False)
    assert [begun.episode for begun in status.running] == ["beehive/0/0"]
    assert (status.queued, status.hosts, status.lost) == (("lantern/0/0",), ("driver",), ())
    assert isinstance(await here.operator.answer(Pause()), CommandDone)
    assert "paused" in Progress(here.counters, "adapt", console(io.StringIO())).line()
    here.runtime.runner.concurrency = 2
    status = await here.status()
    assert (status.paused, status.concurrency, len(status.running)) == (True, 2, 1)
    trainer = object()
    here.runtime.runner.pause(trainer)
    resumed = await here.operator.answer(Resume())
    assert isinstance(resumed, CommandDone)
    assert resumed.text == "resumed; no call begins until those in flight have ended or weights have changed"
    here.runtime.runner.resume(trainer)
    assert await here.operator.answer(Resume()) == CommandDone(text="resumed")
    assert "paused" not in Progress(here.counters, "adapt", console(io.StringIO())).line()
    await running
    status = await here.status()
    assert (status.done, status.running, status.queued) == (2, (), ())


async def test_what_cannot_be_done_is_refused_with_the_reason() -> None:
    here = Scene()
    running = asyncio.create_task(here.run("beehive", "lantern"))
    await asyncio.sleep(1)
    assert "got one that is queued" in await here.refusal(RequeueEpisode(episode="lantern"))
    assert "got one that does not run" in await here.refusal(RequeueEpisode(episode="stick"))
    assert "got one that does neither" in await here.refusal(CancelEpisode(episode="stick"))
    assert await here.operator.answer(CancelEpisode(episode="beehive")) == CommandDone(
        text="beehive/0/0 ended: unsolved, cancelled by operator, reward 0"
    )
    assert "got one that ended: unsolved" in await here.refusal(CancelEpisode(episode="beehive"))
    assert await here.operator.answer(RequeueEpisode(episode="beehive")) == CommandDone(
        text="beehive/0/1 is queued; beehive/0/0 ended: unsolved"
    )
    assert "expected 'beehive/0/1', got" in await here.refusal(CancelEpisode(episode="beehive/0/0"))
    ends = await running
    assert {end.path: end.state for end in ends} == {
        "beehive/0/0": "unsolved",
        "beehive/0/1": "solved",
        "lantern/0/0": "solved",
    }
    assert "expected a run under way" in await here.refusal(RequeueEpisode(episode="lantern", force=True))


async def test_a_running_episode_is_repeated_only_by_force() -> None:
    here = Scene()
    running = asyncio.create_task(here.run("beehive"))
    await asyncio.sleep(1)
    assert await here.refusal(RequeueEpisode(episode="beehive")) == (
        "beehive/0/0: expected an episode that faulted or was cancelled, got one that is running; "
        "to cancel it and repeat it: --force"
    )
    assert await here.operator.answer(RequeueEpisode(episode="beehive", force=True)) == CommandDone(
        text="beehive/0/1 is queued; beehive/0/0 is cancelled"
    )
    assert {end.path: end.state for end in await running} == {"beehive/0/0": "unsolved", "beehive/0/1": "solved"}


async def test_a_run_is_stopped_and_leaves_its_episodes_for_a_resume() -> None:
    here = Scene()
    running = asyncio.create_task(here.run("beehive", "lantern"))
    await asyncio.sleep(1)
    assert isinstance(await here.operator.answer(StopRun()), CommandDone)
    with pytest.raises(Suspension, match="stopped by an operator"):
        await running
    assert here.journal.reader.end(Path("beehive/0/0")) is None


def test_a_setting_holds_at_once_and_for_resumes(tmp_path: FilePath) -> None:
    samples.write(tmp_path, samples.record("react", ("beehive", "lantern", "stick")), {})

    async def scene(folder: WritableRun) -> None:
        here = Scene(folder)
        model = next(iter(folder.record.models.values()))
        changes = {"runtime.concurrency": 2, "limits.budget_tokens": 1100, "limits.requests_per_minute": 30}
        reply = await here.operator.answer(ChangeSettings(settings={**changes, "limits.calls": 3}))
        assert reply == CommandDone(
            text="concurrency 2, budget_tokens 1100, requests_per_minute 30, calls 3; also when the run is resumed"
        )
        assert here.runtime.runner.concurrency == 2
        assert here.limiters.limiter(model).most == 3
        paces: list[dict[str, float | int | None]] = [{"calls": 2}, {"tokens_per_minute": None}]
        for limits in paces:  # what is left out stays
            assert isinstance(await here.operator.answer(SetPace(model=model, limits=limits)), CommandDone)
        assert (here.limiters.limiter(model).most, here.limiters.limiter("other").most) == (2, 3)
        usage = Usage(prompt_tokens=2_000, completion_tokens=0)
        charge = Charge(permit="1", path=Path("beehive/0/0/1"), model=model, usage=usage)
        with pytest.raises(BudgetSpent, match="1,100 tokens"):
            await here.budget.hold(charge)

    with WritableRun.open(tmp_path) as folder:
        run(scene(folder))
    with WritableRun.open(tmp_path) as folder:
        limits = folder.config.limits
        assert (folder.config.runtime.concurrency, limits.budget_tokens, limits.calls) == (2, 1100, 3)
        every, own = rates_of(limits)
        assert (every, [*own.values()]) == (RateLimits(3, 30), [RateLimits(2, 30)])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (ChangeSettings(settings={"run.seed": 3}), "run.seed: expected one of runtime.concurrency, runtime.hosts"),
        (ChangeSettings(settings={"limits.budget_tokens": 9}), "limits.budget_tokens: expected at least 1,025 tokens"),
        (
            ChangeSettings(settings={"runtime.hosts": 2}),
            "runtime.hosts: expected a run on Ray, got one in its driver's",
        ),
        (ChangeSettings(settings={"limits.calls": 0}), "limits.calls: expected >= 1, got 0"),
        (ChangeSettings(settings={"limits.budget_usd": 3}), "limits.budget_usd: expected models with a price, got sim"),
        (SetPace(model="none", limits={"calls": 3}), "pace: expected one of sim-weak (simulated), got 'none'"),
    ],
)
def test_a_setting_that_cannot_change_is_refused_and_changes_nothing(
    command: ChangeSettings | SetPace, said: str, tmp_path: FilePath
) -> None:
    samples.write(tmp_path, samples.record(), {})

    async def scene(folder: WritableRun) -> None:
        reply = await Scene(folder).operator.answer(command)
        assert isinstance(reply, CommandRefused)
        assert said in reply.reason

    with WritableRun.open(tmp_path) as folder:
        run(scene(folder))
    assert not (tmp_path / "changes.jsonl").exists()


def test_the_number_of_hosts_changes_now_and_for_resumes(tmp_path: FilePath) -> None:
    samples.write(tmp_path, samples.record(), {})
    sizes: list[int] = []

    async def scene(folder: WritableRun) -> None:
        here = Scene(folder)
        here.runtime.runner.resize = sizes.append
        reply = await here.operator.answer(ChangeSettings(settings={"runtime.hosts": 3}))
        assert reply == CommandDone(text="hosts 3; also when the run is resumed")

    with WritableRun.open(tmp_path) as folder:
        run(scene(folder))
    with WritableRun.open(tmp_path) as folder:
        assert folder.config.runtime.hosts == 3
    assert sizes == [3]


async def test_a_learner_is_no_episode_to_cancel_or_repeat() -> None:
    here = Scene()
    here.journal.begin(LEARNER)
    for command in (CancelEpisode(episode="~learn"), RequeueEpisode(episode="~learn")):
        assert "expected 'lantern', got '~learn'" in await here.refusal(command)


async def test_an_episode_that_ended_with_a_result_is_repeated_only_by_force() -> None:
    here = Scene()
    running = asyncio.create_task(here.run("beehive", "lantern"))
    await until(lambda: here.journal.reader.end(Path("beehive/0/0")) is not None)
    refusal = await here.refusal(RequeueEpisode(episode="beehive"))
    assert refusal == (
        "beehive/0/0: expected an episode that faulted or was cancelled, got one that is solved; "
        "to repeat it and discard its result: --force"
    )
    assert "beehive/0/1" not in {row.path for row in here.journal.reader.episodes()}
    assert await here.operator.answer(RequeueEpisode(episode="beehive", force=True)) == CommandDone(
        text="beehive/0/1 is queued; beehive/0/0 ended: solved"
    )
    assert {end.path for end in await running} == {"beehive/0/0", "beehive/0/1", "lantern/0/0"}


def test_a_new_attempt_replaces_the_one_before_in_the_counts() -> None:
    counters = RunCounters(total=2)
    first, second = Path("beehive/0/0"), Path("beehive/0/1")
    counters.begin(first)
    counters.end(first, solved=True, faulted=False)
    counters.begin(second)
    assert (counters.done, counters.solved) == (0, 0)
    counters.end(second, solved=False, faulted=True)
    assert (counters.done, counters.solved, counters.faulted) == (1, 0, 1)
    third = Path("beehive/0/2")
    counters.begin(third)
    counters.begin(Path("beehive/0/3"))
    counters.end(third, solved=True, faulted=False)
    assert (counters.done, counters.solved, counters.faulted) == (0, 0, 0)
