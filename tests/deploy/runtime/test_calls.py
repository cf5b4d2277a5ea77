"""Model calls: looked up, made, committed; seeds by path; mismatches named by their first differing line."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, cast

import pytest

from quintet.errors import (
    ActorCrashed,
    DeadlineExceeded,
    EndpointFailed,
    EndpointUnavailable,
    JournalFault,
    ModelFault,
    NoAnswer,
    Overloaded,
    ReplayMismatch,
    Unreachable,
)
from quintet.events import AnyEvent, CallMade, Decided, Record, StepTaken
from quintet.events.recording import Recording
from quintet.journal.writer import SqliteJournal
from quintet.messages.execution import Decide
from quintet.messages.paths import child, episode_path
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.messages.quota import Granted, Queued, QuotaRequest, Reserve, Settle
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Asked, Completion, Model, Sampling, Usage
from quintet.ports.transport import DRIVER, Address
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import QUOTA, LocalLimiters, Quota, unlimited
from quintet.roles.context import RequestContext, running
from quintet.roles.executor import Executor
from quintet.roles.role_model import RoleModel
from quintet.runtime.calls import LONGEST_TEXT, HeldPermit, JournaledModel, Permits, RetryPolicy, call_seed
from quintet.runtime.host import Host
from quintet.runtime.local import Loopback
from quintet.runtime.roles import HostRoles, Placement
from tests.actors.models.endpoint.serving import serving
from tests.simulation.virtual import run

HERE = episode_path("task", 0, 0)
DEFAULTS = RetryPolicy()


def root(leaves: int = 1) -> Prompt:
    """The first messages of an episode's prompt."""
    return Prompt(system("Act."), user(f"Crafting commands:\ncraft 1 tea using {leaves} leaf\n\nGoal: craft tea."))


class Echo:
    name = "echo"

    def __init__(self) -> None:
        self.asked: list[Sampling] = []
        self.seconds = 0.0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.asked.append(sampling)
        await asyncio.sleep(self.seconds)
        return Completion(text=prompt.messages()[-1].content)


def is_plain(prompt: Prompt) -> bool:
    """Whether a prompt only asks if the endpoint answers at all."""
    return [message.content for message in prompt.messages()] == ["Hello."]


class Slate:
    """A journal in memory whose commits take a virtual second."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    async def append(self, records: Iterable[Record]) -> None:
        await asyncio.sleep(1)
        self.records.extend(records)


async def _no_decision(*events: AnyEvent) -> None:
    raise AssertionError("a call decides nothing")


def _no_note(event: AnyEvent) -> None:
    raise AssertionError("a call notes nothing")


def journaled_model(model: Model, slate: Slate, policy: RetryPolicy, quota: Quota | None = None) -> JournaledModel:
    """On a host of its own, with a quota beside it."""
    host = Host(DRIVER, Loopback(DRIVER), slate)
    host.spawn(QUOTA, quota or unlimited())
    return JournaledModel(model, host.recorder, Permits(host), seed=7, policy=policy)


def call(
    *prompts: Prompt,
    recorded: Iterable[Record] = (),
    model: Model | None = None,
    policy: RetryPolicy = DEFAULTS,
) -> tuple[list[Completion], list[Record]]:
    slate = Slate()

    async def scene() -> list[Completion]:
        calls = journaled_model(model or Echo(), slate, policy)
        with running(RequestContext(HERE, 1, Recording(HERE, list(recorded)), _no_decision, _no_note)):
            return [await calls.complete(prompt, Sampling()) for prompt in prompts]

    return run(scene()), slate.records


async def test_a_completion_is_handed_on_only_after_its_commit() -> None:
    slate = Slate()

    model = journaled_model(Echo(), slate, DEFAULTS)
    with running(RequestContext(HERE, 1, Recording(HERE), _no_decision, _no_note)):
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
            with running(RequestContext(HERE, 1, Recording(HERE, recorded), _no_decision, _no_note)):
                drawn = await calls.several(root(), Sampling(), ASKED, 3)
                again = await calls.complete(root(), Sampling())
            return [each.text for each in (*drawn, again)][:-1]

        return run(scene()), slate.records

    drawn, records = several()
    assert drawn == texts
    paths = [child(child(HERE, 1), number) for number in range(1, len(texts) + 1)]
    assert [record.event.path for record in records] == [*paths, child(HERE, 2)]
    assert len({record.at for record in records[:-1]}) == 1
    sent = [record.event.sampling for record in records if isinstance(record.event, CallMade)][len(texts) - 1 :]
    assert (sent, sent[0].seed is None) == (model.asked, len(texts) > 1)
    assert several(*records) == (texts, [])
    assert len(model.asked) == 2


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
        with running(RequestContext(HERE, 1, Recording(HERE), _no_decision, _no_note)):
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
    run(journal.append(records))
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


def test_a_call_past_its_deadline_is_a_fault() -> None:
    class Slow(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            self.seconds = 1 if is_plain(prompt) else 60
            return await super().complete(prompt, sampling)

    with pytest.raises(DeadlineExceeded, match=r"task/0/0/1: echo: no completion within 5\.0 s"):
        call(root(), model=Slow(), policy=RetryPolicy(deadline=5.0, repeats=0))


def test_the_record_says_how_long_the_call_took_and_who_made_it() -> None:
    _, (record,) = call(root())
    assert record.host == DRIVER
    assert record.incarnation == 1
    assert isinstance(record.event, CallMade)
    assert record.event.model == "echo"


class Faulty(Echo):
    """Meets what it is told to.

    Args:
        meets: given a prompt and how many came so far, that one included: a fault, an answer, or None for an echo.
    """

    def __init__(self, meets: Callable[[Prompt, int], object]) -> None:
        super().__init__()
        self._meets = meets
        self.times: list[float] = []
        """Of the prompts that ask for more than a sign of life."""
        self._attempts = 0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if not is_plain(prompt):
            self.times.append(asyncio.get_running_loop().time())
        self._attempts += 1
        met = self._meets(prompt, self._attempts)
        if isinstance(met, Exception):
            raise met
        return await super().complete(prompt, sampling) if met is None else cast("Completion", met)


def failing(*faults: Exception) -> Faulty:
    """Raises the given faults, and then answers."""
    left = list(faults)
    return Faulty(lambda prompt, attempt: left.pop(0) if left else None)


def poisoned(fault: Exception) -> Faulty:
    """Answers anything but the prompts of `root`."""
    return Faulty(lambda prompt, attempt: None if is_plain(prompt) else fault)


def away(fault: Exception, *, since: float, until: float) -> Faulty:
    """Fails at any prompt from one virtual second to another."""
    return Faulty(lambda prompt, attempt: fault if since <= asyncio.get_running_loop().time() < until else None)


def later(seconds: float) -> Overloaded:
    fault = Overloaded("429")
    fault.retry_after = seconds
    return fault


BROKEN = [NoAnswer("reset"), EndpointFailed("502"), DeadlineExceeded("late")]
OUTAGES = [*BROKEN, Unreachable("refused")]


@pytest.mark.parametrize("fault", [*OUTAGES, later(1)])
def test_an_attempt_that_brings_no_answer_is_repeated_after_a_pause(fault: Exception) -> None:
    model = failing(fault)
    (completion,), (record,) = call(root(), model=model)
    assert completion.text == "Crafting commands:\ncraft 1 tea using 1 leaf\n\nGoal: craft tea."
    assert isinstance(record.event, CallMade)
    assert model.times[1] - model.times[0] >= 0.5


def test_a_pause_is_no_shorter_than_the_endpoint_asks_for() -> None:
    model = failing(later(70.0), later(2.0))
    call(root(), model=model)
    first, second, third = model.times
    assert second - first >= 70
    assert 2 <= third - second < 70


@pytest.mark.parametrize("fault", BROKEN)
def test_a_prompt_that_an_endpoint_fails_at_while_it_answers_others_is_the_episodes_fault(fault: Exception) -> None:
    model = poisoned(fault)
    with pytest.raises(type(fault)):
        call(root(), model=model, policy=RetryPolicy(repeats=2))
    assert len(model.times) == 3 + 1  # the last between two answers to others


@pytest.mark.parametrize("fault", OUTAGES)
def test_an_endpoint_that_is_away_is_waited_for(fault: Exception) -> None:
    model = away(fault, since=0.5, until=60.0)
    completions, records = call(root(), root(), model=model)
    assert len(completions) == len(records) == 2
    assert len(model.times) < 12


def test_a_call_that_an_outage_failed_until_its_very_end_is_made_once_more() -> None:
    class Stalled(Echo):
        """Takes requests without answering; when it goes on, it answers those still open."""

        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            await asyncio.sleep(max(0.0, 110.0 - asyncio.get_running_loop().time()))
            return await super().complete(prompt, sampling)

    (completion,), _ = call(root(), model=Stalled(), policy=RetryPolicy(deadline=25.0, repeats=3))
    assert completion.text


@pytest.mark.parametrize("fault", OUTAGES)
def test_an_endpoint_that_stays_away_suspends_the_run_and_says_how_long_it_was_waited_for(fault: Exception) -> None:
    with pytest.raises(EndpointUnavailable, match=rf"{fault} \(waited for 1\d\d s\)"):
        call(root(), root(), model=away(fault, since=0.5, until=1e9), policy=RetryPolicy(seconds=100.0))


@pytest.mark.parametrize("fault", OUTAGES)
def test_an_endpoint_that_never_answered_and_fails_suspends_the_run_soon(fault: Exception) -> None:
    model = away(fault, since=0.0, until=1e9)
    with pytest.raises(EndpointUnavailable):
        call(root(), model=model)
    assert len(model.times) <= 5


def test_a_call_that_fails_after_an_outage_too_is_the_episodes_fault() -> None:
    fault = EndpointFailed("500")

    def meets(prompt: Prompt, attempt: int) -> Exception | None:
        out = 0.5 <= asyncio.get_running_loop().time() < 60
        return fault if out or (prompt.messages()[-1].content not in ("other", "Hello.")) else None

    with pytest.raises(EndpointFailed, match="500"):
        call(Prompt(user("other")), root(), model=Faulty(meets))


def test_a_refusal_that_every_prompt_meets_suspends_the_run() -> None:
    model = Faulty(lambda prompt, attempt: ModelFault(f"400: 'seed' is not taken (request {attempt})"))
    with pytest.raises(EndpointUnavailable, match=r"'seed' is not taken \(request 1\) \(so is any other prompt\)"):
        call(root(), model=model)
    assert len(model.times) == 1


def test_a_refusal_of_one_prompt_is_the_episodes_fault_also_where_another_is_refused_for_another_reason() -> None:
    model = Faulty(lambda prompt, attempt: ModelFault("400: no goal" if is_plain(prompt) else "400: odd characters"))
    with pytest.raises(ModelFault, match="400: odd characters"):
        call(root(), model=model)


async def test_whether_an_endpoint_answers_is_asked_under_a_permit_and_not_journaled() -> None:
    settlement_of: list[Settle] = []

    class Listening(Quota):
        def hear(self, settle: Settle) -> None:
            settlement_of.append(settle)
            super().hear(settle)

    slate, quota = Slate(), Listening(LocalLimiters(RateLimits()).limiter)
    model = journaled_model(poisoned(ModelFault("400")), slate, RetryPolicy(repeats=0), quota)
    with running(RequestContext(HERE, 1, Recording(HERE), _no_decision, _no_note)), pytest.raises(ModelFault):
        await model.complete(root(), Sampling())
    await asyncio.sleep(1)
    assert slate.records == []
    assert not quota.permits
    assert [settle.outcome for settle in settlement_of] == ["refused", "answered"]


def test_an_overloaded_endpoint_is_asked_until_the_pauses_are_used_up_and_then_suspends_the_run() -> None:
    model = failing(*(Overloaded("429") for _ in range(1000)))
    with pytest.raises(EndpointUnavailable, match="429"):
        call(root(), model=model, policy=RetryPolicy(repeats=0, seconds=100.0))
    assert 100 <= model.times[-1] < 200


@pytest.mark.parametrize("fault", [ModelFault("400"), EndpointUnavailable("401"), ZeroDivisionError("bug")])
def test_a_fault_that_another_attempt_cannot_mend_is_not_repeated(fault: Exception) -> None:
    model = poisoned(fault)
    with pytest.raises(type(fault)):
        call(root(), model=model)
    assert len(model.times) == 1


def test_refusals_that_cost_nothing_use_up_no_repetition_of_those_that_may_have_cost_something() -> None:
    model = failing(*(later(0.1) for _ in range(9)), NoAnswer("502"), NoAnswer("502"), Overloaded("429"))
    (completion,), _ = call(root(), model=model, policy=RetryPolicy(repeats=2))
    assert completion.text
    assert len(model.times) == 13


def test_an_endpoint_that_asks_for_a_pause_above_the_limit_suspends_at_once() -> None:
    model = failing(later(3600.0))
    with pytest.raises(EndpointUnavailable):
        call(root(), model=model)
    assert len(model.times) == 1
    assert model.times[0] < 1


async def test_an_endpoint_that_answered_another_call_counts_as_known() -> None:
    left = [Unreachable("connection refused") for _ in range(8)]
    other = Prompt(user("other"))
    model = Faulty(lambda prompt, attempt: left.pop() if left and prompt is not other else None)
    model.seconds = 1.0
    calls = journaled_model(model, Slate(), DEFAULTS)

    async def one(number: int, prompt: Prompt) -> None:
        path = child(HERE, number)
        with running(RequestContext(path, 1, Recording(path), _no_decision, _no_note)):
            await calls.complete(prompt, Sampling())

    await asyncio.gather(one(1, root()), one(2, other))
    assert len(model.times) == 10


def settlement_of(error: BaseException) -> Settle:
    permit = HeldPermit("host/1")
    permit.failed(error)
    return permit.settlement


@pytest.mark.parametrize("malformed", ["3", -1, float("nan"), float("inf"), [5]])
def test_a_malformed_pause_that_a_plug_in_asks_for_leaks_no_permit(malformed: Any) -> None:
    fault = Overloaded("429")
    fault.retry_after = malformed
    assert settlement_of(fault) == Settle(permit="host/1", outcome="overloaded")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (NoAnswer("reset"), "failed"),
        (EndpointFailed("502"), "refused"),
        (asyncio.CancelledError(), "failed"),
        (DeadlineExceeded("late"), "failed"),
        (ZeroDivisionError(), "failed"),
        (Unreachable("refused"), "refused"),
        (ModelFault("400"), "refused"),
        (EndpointUnavailable("401"), "refused"),
        (Overloaded("429"), "overloaded"),
    ],
)
def test_an_attempt_that_may_have_been_charged_differs_from_one_that_was_refused(
    error: BaseException, outcome: str
) -> None:
    assert settlement_of(error).outcome == outcome


def test_an_answer_whose_commit_fails_was_an_answer() -> None:
    permit = HeldPermit("host/1")
    permit.answered(Completion(text="a", usage=Usage(prompt_tokens=7)))
    permit.failed(JournalFault("disk full"))
    assert permit.settlement == Settle(permit="host/1", outcome="answered", usage=Usage(prompt_tokens=7))
    permit.answered(Completion(text="a"))
    assert permit.settlement == Settle(permit="host/1", outcome="answered", usage=None)


def test_a_prompt_that_did_not_fit_costs_nothing() -> None:
    permit = HeldPermit("host/1")
    permit.answered(Completion(text="", finish="context_full"))
    assert permit.settlement == Settle(permit="host/1", outcome="answered", usage=Usage())


MUCH = 10**15
BOAST = Completion(
    text="x" * (2 * LONGEST_TEXT),
    reasoning="y" * (2 * LONGEST_TEXT),
    usage=Usage(prompt_tokens=MUCH, completion_tokens=MUCH, cached_tokens=MUCH, reasoning_tokens=MUCH),
    fingerprint="z" * LONGEST_TEXT,
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
        for root in ("actors", "deploy"):
            _, found, file = frame.f_code.co_filename.partition(f"/{root}/quintet/")
            if found and event == "call":
                self.files.add(f"{root}/{file}")


def test_a_model_call_crosses_fewer_than_twenty_files_from_the_executor_to_the_journal() -> None:
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
    assert len(files) < 20, sorted(files)
