"""Request contexts, conversations and models as roles ask them: numbered, kept, and the same in a replay."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import Fault, HostLost, ModelFault, NoAnswer, Overloaded, ReplayMismatch
from quintet.events import AnyEvent, CallMade, Decided, NodeGrown, Published, Record, Refused
from quintet.events.recording import Recording
from quintet.messages.execution import Decide, Turn
from quintet.messages.parts import Inventory
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Asked, Completion, Legibility, Sampling
from quintet.questions.acting import DECISION
from quintet.questions.shape import AnswerForm
from quintet.roles.context import RequestContext, current, decide, note, publish, running, unless_refused
from quintet.roles.conversations import Conversations
from quintet.roles.role_model import RoleModel
from tests.simulation.virtual import run

T = TypeVar("T")
HERE = episode_path("task", 0, 0)


def converse(work: Coroutine[Any, Any, T], *recorded: AnyEvent) -> tuple[T, list[AnyEvent]]:
    """Run `work` as a conversation with these events recorded; what it returns, and what it commits."""
    committed: list[AnyEvent] = []

    async def commit(*events: AnyEvent) -> None:
        committed.extend(events)

    async def scene() -> T:
        records = [Record(event=event, incarnation=1) for event in recorded]
        with running(RequestContext(HERE, 2, Recording(HERE, records), commit, committed.append)):
            return await work

    return run(scene()), committed


async def sleep_then(seconds: float, answer: str) -> str:
    await asyncio.sleep(seconds)
    return answer


def test_things_are_numbered_in_the_order_they_are_done() -> None:
    async def work() -> list[Path]:
        with current().turn() as first:
            pass
        with current().turn() as second:
            pass
        return [first.path, second.path]

    assert converse(work())[0] == ["task/0/0/1", "task/0/0/2"]


def test_what_takes_no_number_leaves_the_next_one_and_waits_its_turn_too() -> None:
    async def work() -> list[Path]:
        with current().turn() as first, pytest.raises(RuntimeError, match="two things in flight"):
            current().next(numbered=False)
        with current().turn(numbered=False) as aside:
            pass
        with current().turn() as second:
            pass
        return [first.path, aside.path, second.path]

    assert converse(work())[0] == ["task/0/0/1", "task/0/0/0", "task/0/0/2"]


def grown(path: Path, value: float = 0.5) -> NodeGrown:
    return NodeGrown(path=path, tree=HERE, node=1, parent=0, action="look", session=None, value=value)


async def _note(value: float = 0.5) -> None:
    note(lambda path: grown(path, value))


DECIDED = Decided(path=child(HERE, 1), question="how many", answer="3")
PUBLISHED = Published(path=child(HERE, 1), version=1, content="1. Look around.")
CALLED = CallMade(
    path=child(HERE, 1),
    model="m",
    prompt=Prompt().node.address,
    sampling=Sampling(),
    completion=Completion(text=""),
)


@pytest.mark.parametrize(
    ("work", "event"),
    [
        (partial(decide, "how many", 3), DECIDED),
        (_note, grown(child(HERE, 1))),
        (partial(publish, 1, "1. Look around."), PUBLISHED),
    ],
)
def test_what_happens_is_committed_at_the_next_path_and_not_again_in_a_replay(
    work: Callable[[], Coroutine[Any, Any, object]], event: AnyEvent
) -> None:
    answer, committed = converse(work())
    assert committed == [event]
    assert converse(work(), event) == (answer, [])


@pytest.mark.parametrize(
    ("work", "recorded", "match"),
    [
        (partial(_note, 0.7), grown(child(HERE, 1)), r"node_grown: value: line 1: expected '0\.5', got '0\.7'"),
        (_note, DECIDED, "expected decided, got node_grown"),
        (partial(decide, "how much", 3), DECIDED, "expected the decision 'how many', got 'how much'"),
        (partial(decide, "which", 1), CALLED, "task/0/0/1: expected call_made, got decided"),
        (partial(unless_refused, _note), DECIDED, "expected decided, got refused"),
        (partial(publish, 2, "1. Look around."), PUBLISHED, "expected version 1: .*Look around.*, got version 2: "),
        (partial(publish, 1, "1. Stay."), PUBLISHED, "expected version 1: .*Look around.*, got version 1: "),
    ],
)
def test_another_history_than_the_recorded_one_diverges(
    work: Callable[[], Coroutine[Any, Any, object]], recorded: AnyEvent, match: str
) -> None:
    with pytest.raises(ReplayMismatch, match=match):
        converse(work(), recorded)


def test_nothing_is_noted_while_something_is_in_flight() -> None:
    async def work() -> None:
        with current().turn():
            await _note()

    with pytest.raises(RuntimeError, match="two things in flight"):
        converse(work())


def test_a_branch_has_the_phase_of_its_request() -> None:
    async def work() -> str:
        context = current()
        context.phase = "values"
        with context.turn() as position:
            return context.below(position, 1).phase

    assert converse(work())[0] == "values"


def test_a_refusal_is_committed_and_a_replay_does_not_ask_again() -> None:
    asked = 0

    async def refuse() -> str:
        nonlocal asked
        asked += 1
        raise ModelFault("too long")

    recorded = Refused(path=child(HERE, 1), reason="too long")
    assert converse(unless_refused(refuse)) == (None, [recorded])
    assert converse(unless_refused(refuse), recorded) == (None, [])
    assert asked == 1


@pytest.mark.parametrize("fault", [NoAnswer("no answer"), Overloaded("later"), HostLost("gone")])
def test_what_may_be_answered_another_time_is_no_refusal(fault: Fault) -> None:
    async def fail() -> str:
        raise fault

    with pytest.raises(type(fault)):
        converse(unless_refused(fail))


def test_what_is_not_refused_happens_under_a_path_of_its_own() -> None:
    async def work() -> Path:
        with current().turn() as place:
            return place.path

    assert converse(unless_refused(work)) == (child(child(child(HERE, 1), 1), 1), [])


@pytest.mark.parametrize(("first", "again"), [(3, None), (None, 3), (0.5, 1), ("a", 1), ("refused", "decided")])
def test_a_replay_sees_the_first_answer_whatever_it_would_say_itself(first: Any, again: Any) -> None:
    seen, committed = converse(decide("left", first))
    assert seen == first
    assert converse(decide("left", again), *committed)[0] == first


def test_there_is_no_conversation_outside_a_request() -> None:
    with pytest.raises(LookupError):
        current()


TURNS = tuple(Turn(completion=f"Action: {number}", observation=f"Done: {number}") for number in range(40))


def after(conversations: Conversations, *turns: Turn, goal: str = "tea") -> Prompt:
    return conversations.after(conversations.opening("Act.", "A kitchen.", goal), turns)


def test_a_longer_history_extends_the_prompt_of_the_shorter_one_and_siblings_share_it() -> None:
    conversations = Conversations()
    shorter = after(conversations, *TURNS[:30])
    assert after(conversations, *TURNS[:30]) is shorter
    one, other = (after(conversations, *TURNS[:30], turn) for turn in TURNS[30:32])
    assert one is not other
    assert one.parent is other.parent is shorter


def test_other_openings_share_nothing() -> None:
    conversations = Conversations()
    one, other = after(conversations, *TURNS[:2]), after(conversations, *TURNS[:2], goal="coffee")
    with_part = conversations.opening("Act.", "A kitchen.", "tea", (Inventory(text="A cup."),))
    assert len({one.messages()[1], other.messages()[1], with_part.messages()[1]}) == 3


@given(st.lists(st.lists(st.sampled_from(TURNS[:3]), max_size=6), max_size=12), st.integers(0, 6_000))
def test_whatever_is_kept_the_prompts_are_the_same(histories: list[list[Turn]], memory: int) -> None:
    conversations = Conversations(memory=memory)
    for history in histories:
        fresh, kept = after(Conversations(memory=0), *history), after(conversations, *history)
        assert (kept.node.address, kept.messages()) == (fresh.node.address, fresh.messages())


def test_the_oldest_prompts_are_given_up_when_memory_is_full() -> None:
    conversations = Conversations(memory=5_000)
    first = after(conversations, TURNS[0])
    assert after(conversations, TURNS[0]) is first
    for turn in TURNS:
        after(conversations, turn, turn)
    again = after(conversations, TURNS[0])
    assert again is not first
    assert again.node == first.node


JSON = '{"thought": "I look.", "action": "look"}'
ABOUT = Decide(setting="", goal="look")


class Attentive:
    name = "recording"

    def __init__(self) -> None:
        self.drawn: list[Sampling] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.drawn.append(sampling)
        return Completion(text=JSON)


class Taking(Attentive):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Asked] = []

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        self.asked.append(asked)
        return await self.complete(prompt, sampling)


@pytest.mark.parametrize(
    ("answers", "said"),
    [("text", JSON), ("schema", "Thought: I look.\nAction: look"), ("tools", "Thought: I look.\nAction: look")],
)
def test_the_form_goes_with_a_call_only_where_answers_are_structured(answers: AnswerForm, said: str) -> None:
    model = Attentive()
    formed = RoleModel(model, Sampling(), answers=answers)
    completion = asyncio.run(formed.answer(Prompt(user("Go on.")), Sampling(max_tokens=7), DECISION, ABOUT))
    assert (completion.text, formed.as_text(completion, DECISION).text) == (JSON, said)
    assert model.drawn == [Sampling(max_tokens=7, form=None if answers == "text" else "decision")]


def test_a_model_that_takes_questions_gets_the_one_behind_the_prompt() -> None:
    model = Taking()
    asyncio.run(RoleModel(model, Sampling()).answer(Prompt(user("Go on.")), Sampling(), DECISION, ABOUT))
    assert [replace(asked, legibility=None) for asked in model.asked] == [Asked(question="decision", about=ABOUT)]


@pytest.mark.parametrize(
    ("structured", "said", "legibility"),
    [
        (False, "Thought: I look.\nAction: look", "read"),
        (False, "The weather is nice today.", "unread"),
        (True, JSON, "read"),
        (True, '{"weather": "nice"}', "unread"),
    ],
)
def test_what_the_role_will_find_in_an_answer_goes_with_the_question(
    structured: bool, said: str, legibility: Legibility
) -> None:
    model = Taking()
    role_model = RoleModel(model, Sampling(), answers="schema" if structured else "text")
    asyncio.run(role_model.answer(Prompt(user("Go on.")), Sampling(), DECISION, ABOUT))
    (asked,) = model.asked
    assert asked.legibility is not None
    assert asked.legibility(Completion(text=said)) == legibility


class Counting:
    """Notes how many calls are in flight when one begins."""

    name = "counting"

    def __init__(self) -> None:
        self.in_flight = 0
        self.begun: list[int] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.in_flight += 1
        self.begun.append(self.in_flight)
        await asyncio.sleep(0)
        self.in_flight -= 1
        return Completion(text=str(len(self.begun)))


class Joint(Counting):
    """Draws up to two completions by one request."""

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return min(n, 2)

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        return [Completion(text=f"joint {number}") for number in range(min(n, 2))]


def answers(model: Counting, n: int) -> list[str]:
    async def draw() -> list[Completion]:
        return await RoleModel(model, Sampling()).answers(Prompt(user("Go on.")), Sampling(), DECISION, ABOUT, n)

    return [completion.text for completion in converse(draw())[0]]


def test_of_several_answers_the_first_is_drawn_alone_and_then_the_others_at_once() -> None:
    model = Counting()
    assert len(answers(model, 4)) == 4
    assert model.begun == [1, 1, 2, 3]


def test_several_answers_are_one_request_as_far_as_the_model_draws_them_so() -> None:
    assert (answers(Joint(), 2), answers(model := Joint(), 4)[:2]) == (["joint 0", "joint 1"], ["joint 0", "joint 1"])
    assert model.begun == [1, 2]
