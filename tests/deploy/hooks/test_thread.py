"""Hooks at work: what they are told, and that nothing they do harms a run."""

import asyncio
import pathlib
import re
import threading
from collections.abc import Callable, Sequence
from typing import ClassVar

from quintet.errors import HookCrashed
from quintet.events import CallMade, EpisodeEnded, Record, StepTaken
from quintet.hooks.hook import Hook, RunInfo
from quintet.hooks.thread import RunningHooks
from quintet.journal.feed import BUFFER, EpisodeStart, Feed, FeedItem
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress
from quintet.ports.model import Completion, Sampling
from tests.command import command
from tests.deploy import samples

START = EpisodeStart(Path("stick/0/0"), 1, 10.0)
CALL = Record(
    event=CallMade(
        path=Path("stick/0/0/1"),
        model="m",
        prompt=PromptAddress("a"),
        sampling=Sampling(),
        completion=Completion(text="look"),
    ),
    incarnation=1,
)
STEP = Record(
    event=StepTaken(
        path=Path("stick/0/0/2"), session="s", action="look", observation="", reward=0.0, done=False, rejected=False
    ),
    incarnation=1,
)
END = Record(event=EpisodeEnded(path=Path("stick/0/0"), state="solved", reward=1.0), incarnation=1)
INFO = RunInfo("run", None, samples.record())
ITEMS: Sequence[FeedItem] = (START, CALL, STEP, END)


class Listed(Hook):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.threads: set[int] = set()

    def on_run_begin(self, run: RunInfo) -> None:
        self.threads.add(threading.get_ident())
        self.told.append(f"begin {run.name}")

    def on_episode_begin(self, episode: EpisodeStart) -> None:
        self.told.append(f"start {episode.path}")

    def on_record(self, record: Record) -> None:
        self.told.append(record.event.kind)

    def on_call(self, call: CallMade, record: Record) -> None:
        self.told.append(f"call {call.completion.text}")

    def on_step(self, step: StepTaken, record: Record) -> None:
        self.told.append(f"step {step.action}")

    def on_episode_end(self, end: EpisodeEnded, record: Record) -> None:
        self.told.append(f"end {end.reward}")

    def flush(self) -> None:
        self.told.append("flush")

    def on_run_end(self, run: RunInfo, lost: int) -> None:
        self.threads.add(threading.get_ident())
        self.told.append(f"over, {lost} lost")


ALL = [
    "begin run",
    "start stick/0/0",
    *["call_made", "call look"],
    *["step_taken", "step look"],
    *["episode_ended", "end 1.0"],
    "over, 0 lost",
]


def told_of(
    *hooks: Hook,
    items: Sequence[FeedItem] = ITEMS,
    fed: Callable[[], None] = lambda: None,
    stop: Callable[[HookCrashed], None] | None = None,
) -> list[str]:
    """What a person is told of a run that commits these items."""
    said: list[str] = []

    async def run() -> None:
        feed = Feed()
        running = RunningHooks(hooks, feed, said.append)
        running.begin(INFO, stop)
        feed.committed(items)
        fed()
        feed.close()
        await running.close()

    asyncio.run(run())
    return said


def test_a_hook_is_told_everything_in_the_order_of_the_commits_in_one_thread_of_its_own() -> None:
    hook = Listed()
    assert told_of(hook) == []
    assert [line for line in hook.told if line != "flush"] == ALL
    assert "flush" in hook.told[-3:]
    assert len(hook.threads) == 1
    assert hook.threads.isdisjoint({threading.get_ident()})


class Raising(Listed):
    def on_call(self, call: CallMade, record: Record) -> None:
        raise asyncio.CancelledError

    def on_step(self, step: StepTaken, record: Record) -> None:
        raise LookupError("no such step")

    def on_run_begin(self, run: RunInfo) -> None:
        raise SystemExit(3)


def test_a_hook_that_raises_is_reported_once_and_told_what_follows_and_others_notice_nothing() -> None:
    raising, other = Raising(), Listed()
    first, count = told_of(raising, other)
    place, _, further = first.partition(": SystemExit: 3; the run and the hook go on")
    assert re.fullmatch(rf"hook Raising: {re.escape(__file__)}, line \d+, in on_run_begin", place)
    assert further.splitlines()[1:3] == [
        "SystemExit: 3",
        f'  File "{__file__}", line {place.split()[-3][:-1]}, in on_run_begin',
    ]
    assert count == "hook Raising: raised 3 times in all"
    assert raising.told[-1] == "over, 0 lost"
    assert [line for line in other.told if line != "flush"] == ALL


class Sending(Listed):
    """Cannot reach what it sends to, and then has a bug."""

    def on_call(self, call: CallMade, record: Record) -> None:
        raise ConnectionError("away")

    def on_step(self, step: StepTaken, record: Record) -> None:
        raise LookupError("no such step")


def test_a_bug_of_a_hook_stops_the_run_and_what_it_cannot_reach_does_not() -> None:
    stopped: list[HookCrashed] = []
    away, bug, count = told_of(Sending(), stop=stopped.append)
    assert "ConnectionError: away; the run and the hook go on" in away
    assert "LookupError: no such step; the run stops" in bug
    assert count == "hook Sending: raised 2 times in all"
    assert [str(each) for each in stopped] == [bug.partition("; the run stops")[0]]
    assert str(stopped[0]).startswith(f"hook Sending: {__file__}, line ")


BROKEN = """import asyncio
from quintet.api import Hook

class Broken(Hook):
    def on_run_begin(self, run):
        run.nope

class Silent:
    name = "silent"

    async def complete(self, prompt, sampling):
        await asyncio.Event().wait()
"""


def test_a_bug_of_a_hook_ends_its_run_which_goes_on_where_that_is_asked(tmp_path: pathlib.Path) -> None:
    file, run = tmp_path / "broken.py", tmp_path / "run"
    file.write_text(BROKEN)
    words = ["--model", f"{file}:Silent", "--hooks", f"{file}:Broken"]
    said = command("eval", "react", "textcraft", "--tasks", "stick", *words, "--out", str(run), code=1)
    last = said.err.splitlines()[-1]
    assert last.startswith(f"stopped at a bug: hook Broken: {file}, line 6, in on_run_begin: AttributeError: ")
    assert last.endswith(f"to go on all the same: quintet resume {run} --keep-going")


class Waiting(Listed):
    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def on_run_begin(self, run: RunInfo) -> None:
        self.go_on.wait()


def test_a_slow_hook_loses_the_oldest_events_and_the_loss_is_told() -> None:
    hook = Waiting()
    starts = [EpisodeStart(Path(f"stick/{number}/0"), 1, 0.0) for number in range(BUFFER + 7)]
    said = told_of(hook, items=starts, fed=hook.go_on.set)
    assert said == [
        "hook Waiting: slower than the run; it loses the oldest events",
        "hook Waiting: lost 7 events in all",
    ]
    assert hook.told[0] == "start stick/7/0"
    assert hook.told[-1] == "over, 7 lost"


class Stuck(Waiting):
    grace_seconds: ClassVar[float] = 0.01


def test_a_hook_that_blocks_for_ever_is_left_behind_in_a_thread_that_ends_with_the_process() -> None:
    hook, other = Stuck(), Listed()
    assert told_of(hook, other) == ["hook Stuck: still busy 0.01 s after the run; it is left behind"]
    assert other.told[-1] == "over, 0 lost"
    (thread,) = [each for each in threading.enumerate() if each.name == "hook Stuck"]
    assert thread.daemon
    hook.go_on.set()
    thread.join()


def test_without_hooks_no_thread_is_started_and_nothing_is_kept() -> None:
    before = threading.active_count()
    assert told_of() == []
    assert threading.active_count() == before
