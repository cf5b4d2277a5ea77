"""Model calls: looked up, made, committed; seeds by path; mismatches named by their first differing line."""

import asyncio
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from quintet.errors import (
    ActorCrashed,
    DeadlineExceeded,
    ModelFault,
    Overloaded,
    ReplayMismatch,
)
from quintet.events import CallMade, Decided, Record, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Decide
from quintet.messages.paths import child, episode_path
from quintet.messages.prompts import Prompt, assistant, user
from quintet.messages.quota import Granted, Queued, QuotaRequest, Reserve
from quintet.messages.tools import ToolAnswer
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Asked, Completion, Legibility, Model, Sampling, Usage
from quintet.ports.transport import DRIVER, Address
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import QUOTA, LocalLimiters, Quota, unlimited
from quintet.roles.executor import Executor
from quintet.roles.role_model import RoleModel
from quintet.runtime.calls import LONGEST_TEXT, JournaledModel, Permits, call_seed
from quintet.runtime.host import Host
from quintet.runtime.local import Loopback
from quintet.runtime.retries import RetryPolicy
from quintet.runtime.roles import HostRoles, Placement
from tests.actors.models.endpoint.serving import serving
from tests.deploy.journal.records import append
from tests.deploy.runtime.journaled_calls import (
    DEFAULTS,
    HERE,
    Echo,
    Faulty,
    Slate,
    call,
    is_plain,
    journaled_model,
    requested,
    root,
)
from tests.simulation.virtual import run


async def test_a_completion_is_handed_on_only_after_its_commit() -> None:
    slate = Slate()

    model = journaled_model(Echo(), slate, DEFAULTS)
    with requested():
        await model.complete(root(), Sampling())
        assert len(slate.records) == 1


def test_a_recorded_call_is_not_made_again() -> None:
    first, records = call(root())
    echo = Echo()
    replayed, written = call(root(), recorded=records, model=echo)
    assert replayed == first
    assert written == []
    assert echo.asked == []


class Joint(Echo):
    """Draws up to so many completions by one request."""

    def __init__(self, most: int = 2) -> None:
        super().__init__()
        self.most = most

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return min(n, self.most)

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        self.asked.append(sampling)
        usage = Usage(prompt_tokens=9, completion_tokens=4)
        return [Completion(text="first", usage=usage), Completion(text="second")][:n]


ASKED = Asked(question="decision", about=Decide(setting="", goal=""))
ECHOED = [root().messages()[-1].content]


@pytest.mark.parametrize(("model", "texts"), [(Joint(), ["first", "second"]), (Joint(1), ECHOED), (Echo(), ECHOED)])
def test_several_completions_are_committed_together_as_they_were_asked_for_and_not_drawn_again(
    model: Echo, texts: list[str]
) -> None:
    def several(*recorded: Record) -> tuple[list[str], list[Record]]:
        slate = Slate()

        async def scene() -> list[str]:
            calls = journaled_model(model, slate, DEFAULTS)
            with requested(recorded=recorded):
                drawn = await calls.several(root(), Sampling(), ASKED, 3)
                again = await calls.complete(root(), Sampling())
            return [each.text for each in (*drawn, again)][:-1]

        return run(scene()), slate.records

    drawn, records = several()
    assert drawn == texts
    paths = [child(child(HERE, 1), number) for number in range(1, len(texts) + 1)]
    assert [record.event.path for record in records] == [*paths, child(HERE, 2)]
    assert len({record.at for record in records[:-1]}) == 1
    recorded = [record.event.sampling for record in records if isinstance(record.event, CallMade)]
    assert recorded[-1] == model.asked[1]
    assert {sampling.seed for sampling in recorded[:-1]} == {None if len(texts) > 1 else model.asked[0].seed}
    assert several(*records) == (texts, [])
    assert len(model.asked) == 2


@pytest.mark.parametrize("batched", [False, True])
def test_a_request_for_several_has_a_seed_until_the_model_has_drawn_several_and_none_is_recorded(
    *, batched: bool
) -> None:
    model, slate = Joint(), Slate()

    async def scene() -> None:
        calls = replace(journaled_model(model, slate, DEFAULTS), batched=batched)
        with requested():
            for _ in range(2):
                await calls.several(root(), Sampling(), ASKED, 2)

    run(scene())
    assert [sampling.seed is None for sampling in model.asked] == [batched, True]
    recorded = [record.event.sampling for record in slate.records if isinstance(record.event, CallMade)]
    assert [sampling.seed for sampling in recorded] == [None] * 4


def test_a_permit_for_one_of_several_completions_has_one_drawn(tmp_path: Path) -> None:
    model, slate = Joint(), Slate()
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    journal.begin(HERE)
    budget = Budget(Allowance(), Allowance(), lambda _model, _usage: 0, journal.charges, episode_calls=1)

    async def scene() -> tuple[Completion, ...]:
        with requested():
            calls = journaled_model(model, slate, DEFAULTS, Quota(LocalLimiters().limiter, budget))
            return await calls.several(root(), Sampling(), ASKED, 2)

    assert [each.text for each in run(scene())] == ECHOED
    assert [sampling.seed is None for sampling in model.asked] == [False]
    journal.close()


def found_by(role: Callable[[Completion], Legibility] | None, model: Echo | None = None) -> list[Legibility]:
    """What the events of several answers say of them."""
    slate = Slate()

    async def scene() -> None:
        calls = journaled_model(model or Echo(), slate, DEFAULTS)
        with requested():
            await calls.several(root(), Sampling(), Asked(question="", about=ASKED.about, legibility=role), 2)

    run(scene())
    return [record.event.legibility for record in slate.records if isinstance(record.event, CallMade)]


def test_what_a_role_will_find_in_an_answer_is_committed_with_it() -> None:
    assert found_by(lambda _: "unread") == ["unread"]
    assert found_by(lambda said: "read" if said.text == "first" else "unread", Joint()) == ["read", "unread"]
    assert found_by(None) == ["free"]


def test_a_readers_bug_loses_no_answer_that_was_paid() -> None:
    def broken(_: Completion) -> Legibility:
        raise ZeroDivisionError

    assert found_by(broken) == ["free"]


class Refusing(Joint):
    """Turns out to draw one at a time when it is asked for several."""

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        self.most = 1
        return []


class Ignoring(Refusing):
    """Draws one all the same."""

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        await super().several(prompt, sampling, asked, n)
        return [await self.complete(prompt, sampling)]


@pytest.mark.parametrize("kind", [Refusing, Ignoring])
def test_a_completion_is_the_same_whether_its_process_knows_already_that_the_model_draws_one_at_a_time(
    kind: type[Refusing],
) -> None:
    """Else a resumed run, whose process asks for several anew, goes on with another draw than an undisturbed one."""

    def seed(model: Refusing) -> int | None:
        slate = Slate()

        async def scene() -> None:
            with requested():
                await journaled_model(model, slate, DEFAULTS).several(root(), Sampling(), ASKED, 3)

        run(scene())
        [event] = [record.event for record in slate.records if isinstance(record.event, CallMade)]
        assert model.asked == [event.sampling]
        return event.sampling.seed

    assert seed(kind(3)) == seed(kind(1))
    assert seed(kind(3)) is not None


class Finding(Joint):
    """Is overloaded once, and by then has found out that it draws one at a time."""

    def __init__(self) -> None:
        super().__init__(3)

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return self.most

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        self.most = 1
        raise Overloaded("later")


def test_each_attempt_reserves_and_seeds_for_as_many_as_the_model_draws_at_once() -> None:
    reserved: list[int] = []

    class Noting(Quota):
        async def receive(self, request: QuotaRequest) -> Granted | Queued:
            if isinstance(request, Reserve):
                reserved.append(request.answers)
            return await super().receive(request)

    slate = Slate()

    async def scene() -> int:
        calls = journaled_model(model := Finding(), slate, DEFAULTS, Noting(LocalLimiters(RateLimits()).limiter))
        with requested():
            drawn = await calls.several(root(), Sampling(temperature=1.0), ASKED, 3)
            model.most = 4
            with pytest.raises(ModelFault, match="expected to draw 1 to 3 completions at once, got 4"):
                await calls.several(root(), Sampling(), ASKED, 3)
        return len(drawn)

    assert (run(scene()), reserved[:2]) == (1, [3, 1])


def test_a_call_after_the_recorded_ones_is_made() -> None:
    begun = root()
    longer = begun.extend(assistant("tea"), user("Crafted tea"))
    _, records = call(begun)
    completions, written = call(begun, longer, recorded=records)
    assert completions[1].text == "Crafted tea"
    assert [record.event.path for record in written] == [child(HERE, 2)]


def test_a_replay_mismatch_after_a_resume_names_the_line_too() -> None:
    begun = root().extend(user("Look around."))
    _, records = call(begun, begun.extend(assistant("tea"), user("Crafted tea")))
    journal = SqliteJournal(":memory:")
    journal.begin(HERE)
    run(append(journal, records))
    resumed = journal.reader.records()
    expected = r"prompt: line 3: expected 'craft 1 tea using 1 leaf', got 'craft 1 tea using 2 leaf'"
    with pytest.raises(ReplayMismatch, match=expected):
        call(root(leaves=2).extend(user("Look around.")), recorded=resumed)
    expected = r"/2: prompt: line 2: expected 'user: Crafted tea', got 'user: Nothing'"
    with pytest.raises(ReplayMismatch, match=expected):
        call(begun, begun.extend(assistant("tea"), user("Nothing")), recorded=resumed)


def test_after_a_replayed_call_only_what_is_new_is_written() -> None:
    begun = root()
    longer = begun.extend(assistant("tea"), user("Crafted tea"))
    _, records = call(begun)
    again = root()
    _, (record,) = call(again, again.extend(assistant("tea"), user("Crafted tea")), recorded=records)
    assert [node.address for node in record.prompts] == [longer.node.address]


def test_a_call_where_a_step_is_recorded_is_a_replay_mismatch_and_is_not_made() -> None:
    step = StepTaken(
        path=child(HERE, 1), session="s", action="look", observation="", reward=0.0, done=False, rejected=False
    )
    echo = Echo()
    with pytest.raises(ReplayMismatch, match="expected step_taken, got call_made"):
        call(root(), recorded=[Record(event=step, incarnation=1)], model=echo)
    assert echo.asked == []


def test_a_call_where_a_request_is_recorded_is_a_replay_mismatch() -> None:
    below = Decided(path=child(child(HERE, 1), 1), question="which", answer="1")
    with pytest.raises(ReplayMismatch, match="expected a request with 1 events below it, got call_made"):
        call(root(), recorded=[Record(event=below, incarnation=1)])


@pytest.mark.parametrize(
    "answer",
    [
        "text",
        Completion(text=None),  # type: ignore[arg-type]
        Completion(text="", usage=None),  # type: ignore[arg-type]
        Completion(text="", usage=Usage(prompt_tokens=1.5)),  # type: ignore[arg-type]
        Completion(text="", finish="tired"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_a_malformed_completion_is_a_bug_of_the_model_and_is_not_journaled(answer: Any) -> None:
    model = Faulty(lambda prompt, attempt: None if is_plain(prompt) else answer)
    with pytest.raises(ActorCrashed, match=r"\.py, line \d+: echo: expected a Completion"):
        call(root(), model=model)


def test_text_that_utf8_cannot_encode_is_escaped() -> None:
    (completion,), _ = call(root(), model=Faulty(lambda prompt, attempt: Completion(text="a \ud800 b")))
    assert completion.text == "a \\ud800 b"


def test_the_seed_depends_on_run_and_path_but_not_on_the_attempt() -> None:
    echo = Echo()
    call(root(), root(), model=echo)
    assert [sampling.seed for sampling in echo.asked] == [call_seed(7, child(HERE, 1)), call_seed(7, child(HERE, 2))]
    assert call_seed(7, child(HERE, 1)) == call_seed(7, child(episode_path("task", 0, 3), 1))
    assert call_seed(7, child(HERE, 1)) != call_seed(7, child(episode_path("task", 1, 0), 1))
    assert call_seed(7, child(HERE, 1)) != call_seed(8, child(HERE, 1))
    assert all(0 <= call_seed(seed, HERE) < 2**31 for seed in range(100))
    assert len({call_seed(seed, HERE, drawn) for seed in range(10) for drawn in range(10)}) == 100
    assert call_seed(7, HERE, 0) == call_seed(7, HERE)


def test_a_call_past_its_deadline_is_a_fault() -> None:
    class Slow(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            self.seconds = 1 if is_plain(prompt) else 60
            return await super().complete(prompt, sampling)

    with pytest.raises(DeadlineExceeded, match=r"echo: no completion within 5\.0 s \(limits.model_seconds\)"):
        call(root(), model=Slow(), policy=RetryPolicy(deadline=5.0, repeats=0))


def test_the_record_says_how_long_the_call_took_and_who_made_it() -> None:
    _, (record,) = call(root())
    assert record.host == DRIVER
    assert record.incarnation == 1
    assert isinstance(record.event, CallMade)
    assert record.event.model == "echo"


MUCH = 10**15
BOAST = Completion(
    text="x" * (2 * LONGEST_TEXT),
    reasoning="y" * (2 * LONGEST_TEXT),
    usage=Usage(prompt_tokens=MUCH, completion_tokens=MUCH, cached_tokens=MUCH, reasoning_tokens=MUCH),
    fingerprint="z" * LONGEST_TEXT,
    tool_answer=ToolAnswer(tools="[]", message="m" * (2 * LONGEST_TEXT)),
)
"""Impossible usage, and too long a text."""


def test_an_impossible_usage_is_bounded_by_the_reservation_and_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        (first, second), records = call(root(), root(), model=Faulty(lambda prompt, attempt: BOAST))
    assert [isinstance(record.event, CallMade) and record.event.bounded for record in records] == [True, True]
    most = root().most_tokens
    for completion in (first, second):
        assert completion.usage == Usage(
            prompt_tokens=most, completion_tokens=512, cached_tokens=most, reasoning_tokens=512
        )
        assert (len(completion.text), completion.finish) == (LONGEST_TEXT, "length")
        assert len(completion.reasoning) == LONGEST_TEXT
        assert completion.fingerprint == "z" * 256
        assert completion.tool_answer == ToolAnswer(tools="[]")
    (said,) = (record.getMessage() for record in caplog.records)
    assert f"expected at most {most} and 512 tokens of prompt and completion, got 1,000,000,000,000,000 and" in said


class Traced:
    """Notes the files of actors and deploy whose code runs during its second call, when the connection is open."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._calls = 0
        self.name = model.name
        self.files: set[str] = set()

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self._calls += 1
        before = sys.getprofile()
        sys.setprofile(self._note if self._calls == 2 else before)
        try:
            return await self._model.complete(prompt, sampling)
        finally:
            sys.setprofile(before)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        for room in ("actors", "deploy"):
            _, found, file = frame.f_code.co_filename.partition(f"/{room}/quintet/")
            if found and event == "call":
                self.files.add(f"{room}/{file}")


def test_a_model_call_crosses_at_most_22_files_from_the_executor_to_the_journal() -> None:
    async def scene(url: str) -> set[str]:
        journal = SqliteJournal(":memory:")
        journal.begin(HERE)
        host = Host(DRIVER, Loopback(DRIVER), journal)
        host.spawn(QUOTA, unlimited())
        endpoint = Endpoint("m", url=url, key=None)
        calls = JournaledModel(endpoint, host.recorder, Permits(host), seed=7, policy=DEFAULTS)
        traced = Traced(calls)
        roles = HostRoles(host, Placement({}), step_deadline=None)
        host.spawn("executor", Executor(RoleModel(traced, Sampling()), roles, {"decide": "Act."}))
        to = Address(host=DRIVER, role="executor")
        for number in (1, 2):
            await host.ask(to, Decide(setting="", goal="tea", n=1), path=child(HERE, number), incarnation=1)
        await host.close()
        await endpoint.aclose()
        return traced.files

    with serving() as server:
        files = asyncio.run(scene(server.url))
    assert {"actors/roles/executor.py", "actors/models/endpoint/connection.py", "deploy/journal/writer.py"} <= files
    assert len(files) <= 22, sorted(files)
