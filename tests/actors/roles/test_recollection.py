"""The executor recalls before every turn; trails say where the turns of a request begin."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.events import AnyEvent
from quintet.events.recording import Recording
from quintet.messages.environment import (
    Fork,
    Forked,
    Open,
    Opened,
    Session,
    Snapshot,
    Snapshotted,
    Step,
    Stepped,
    Task,
    Trail,
)
from quintet.messages.execution import Act, Candidate, Candidates, Decide, Execute, Executed, Turn
from quintet.messages.learning import Experience
from quintet.messages.memory import Classified, Classify, MemoryTuple, Recall, StoredTuple, TuplesRecalled
from quintet.messages.message import Message, Request
from quintet.messages.parts import Inventory, PromptPart, Recollection, Situation
from quintet.messages.paths import Path
from quintet.messages.planning import MakePlan
from quintet.messages.reflection import Reflect, Value
from quintet.messages.solving import Solve, Solved
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.ports.model import Completion
from quintet.roles.context import RequestContext
from quintet.roles.recollection import with_goal_type
from quintet.roles.trails import note_trail, trail_before
from quintet.roles.turn_text import NOTHING_DONE, turn_of
from tests.actors.fakes import CANDIDATES, GOAL, INSTRUCTIONS, SETTING, Answering, Kitchens, Script, contents, converse

SALT = MemoryTuple(
    goal="cook",
    evaluation="subgoal 1: find salt - complete\nsubgoal 2: serve - incomplete",
    summary="The salt was found.",
    observation="A shelf.\n\nOn it: salt.",
    action="take salt",
    goal_type=2,
    observation_type=3,
)
PEPPER = replace(SALT, evaluation="", summary="", observation="A drawer.", action="take pepper")
EXAMPLES = (
    "Examples from other tasks, of what was done in situations like this one:\n\n"
    "1. Observation: A shelf.\nOn it: salt.\n"
    "Evaluation: subgoal 1: find salt - complete; subgoal 2: serve - incomplete\n"
    "Summary: The salt was found.\nAction: take salt\n\n"
    "2. Observation: A drawer.\nAction: take pepper"
)
PART = Recollection(version=3, batches=2, batch=2, budget=100, goal=GOAL, goal_type=7)
TASK = f"user: {SETTING}\n\nGoal: {GOAL}."


class _Memory:
    """Answers with these tuples, by what is seen; else with none."""

    def __init__(self, tuples: Mapping[str, Sequence[MemoryTuple]]) -> None:
        self._tuples = tuples

    async def receive(self, request: Recall | Classify) -> TuplesRecalled | Classified:
        if isinstance(request, Classify):
            return Classified(goal_type=len(request.goal) % 5 + 1)
        found = self._tuples.get(request.observation, ())
        tuples = tuple(StoredTuple(id=number, tuple=each) for number, each in enumerate(found))
        return TuplesRecalled(tuples=tuples, goal_type=request.goal_type or 7, observation_type=9)


class Kitchen(Kitchens):
    """All roles, and a memory that has something about the setting."""

    def __init__(
        self,
        *answers: str | Completion,
        tuples: Mapping[str, Sequence[MemoryTuple]] | None = None,
        model: Script | Answering | None = None,
        apart: bool = False,
    ) -> None:
        self.model = model or Script({GOAL: answers})
        super().__init__(self.model, apart=apart)
        self._actors["memory"] = _Memory({SETTING: (SALT, PEPPER)} if tuples is None else tuples)

    def decide(self, *parts: PromptPart, history: tuple[Turn, ...] = (), **asked: object) -> Candidates:
        request = replace(Decide(setting=SETTING, goal=GOAL, parts=parts, history=history), **asked)
        return converse(lambda: self.ask(request))

    @property
    def said(self) -> list[list[str]]:
        return [contents(prompt) for prompt in self.model.prompts]


def test_what_is_recalled_is_said_at_the_end_of_its_turn_alone() -> None:
    kitchen = Kitchen("Action: take salt", "Action: task completed")
    kitchen.execute(parts=(PART,))
    assert kitchen.said == [
        [f"system: {INSTRUCTIONS}", f"{TASK}\n\n{EXAMPLES}"],
        [f"system: {INSTRUCTIONS}", TASK, "assistant: Action: take salt", "user: You take salt."],
    ]
    assert kitchen.requests(Recall) == [
        Recall(version=3, batch=2, goal=GOAL, observation=SETTING, goal_type=7, budget=100),
        Recall(version=3, batch=2, goal=GOAL, observation="You take salt.", goal_type=7, budget=100),
    ]


def test_types_that_were_met_are_not_asked_for_again() -> None:
    kitchen = Kitchen("Action: wait", "Action: inventory", "Action: inventory", "Action: task failed")
    kitchen.execute(parts=(replace(PART, goal="another"),))
    known = [(request.goal_type, request.observation_type) for request in kitchen.requests(Recall)]
    assert known == [(None, None), (7, None), (7, None), (7, 9)]


def test_nothing_is_recalled_for_a_claim_after_the_world_is_done() -> None:
    kitchen = Kitchen("Action: serve", "Action: task completed")
    kitchen.execute(parts=(PART,))
    assert len(kitchen.requests(Recall)) == 1


@pytest.mark.parametrize("parts", [(), (Inventory(text="You carry: salt"),), (replace(PART, batches=0),)])
def test_without_a_memory_nobody_is_asked(parts: tuple[PromptPart, ...]) -> None:
    kitchen = Kitchen("Action: task completed")
    kitchen.execute(parts=parts)
    assert kitchen.requests(Recall) == []


def test_the_thought_and_its_action_see_what_was_recalled_and_the_formalizer_does_not() -> None:
    answers = iter(["Thought: salt.", "Action: the salt", "Action: take salt", "Thought: done.", "task completed"])
    model = Answering(lambda _said: next(answers))
    kitchen = Kitchen(model=model, apart=True)
    kitchen.execute(parts=(PART,))
    thought, action, formal = map(contents, model.prompts[:3])
    assert EXAMPLES in thought[-1]
    assert any(EXAMPLES in message for message in action)
    assert not any(EXAMPLES in message for message in formal)


def test_a_situation_stands_in_place_of_the_turns_after_the_examples() -> None:
    kitchen = Kitchen("Action: wait", tuples={"A drawer, open.": (PEPPER,)})
    now = Situation(observation="A drawer, open.", evaluation="subgoal 1: a - complete\nsubgoal 2: b - incomplete")
    kitchen.decide(PART, replace(now, summary="It was opened."), instead_of=("open drawer",))
    assert kitchen.said == [
        [
            f"system: {INSTRUCTIONS}",
            f"{TASK}\n\nExamples from other tasks, of what was done in situations like this one:\n\n"
            "1. Observation: A drawer.\nAction: take pepper\n\n"
            "Now:\nObservation: A drawer, open.\n"
            "Evaluation: subgoal 1: a - complete; subgoal 2: b - incomplete\nSummary: It was opened.\n\n"
            "Tried at this point already:\n- open drawer\nChoose another action than these.",
        ]
    ]


def test_a_decision_recalls_what_its_last_turn_has_seen_and_asks_for_candidates_last() -> None:
    kitchen = Kitchen("Action: wait (confidence 1)", tuples={"You take salt.": (PEPPER,)})
    turn = Turn(completion="Action: take salt", observation="You take salt.")
    kitchen.decide(PART, history=(turn,), with_confidence=True, n=2)
    ((*_, last),) = kitchen.said
    assert last.startswith("user: You take salt.\n\nExamples from")
    assert last.endswith(f"Action: take pepper\n\n{CANDIDATES.replace('{n}', '2')}")


AGREED = Candidate(completion="Action: take salt", decision=Act(thought="", action="take salt"), confidence=1.0)


@pytest.mark.parametrize(
    ("tuples", "share", "instead_of", "asked"),
    [
        ((SALT, SALT, PEPPER), 0.6, (), False),
        ((SALT, SALT, PEPPER), 0.7, (), True),
        ((SALT, SALT), 1.0, (), False),
        ((SALT, SALT), None, (), True),
        ((SALT,), 1.0, (), True),
        ((), 0.1, (), True),
        ((SALT, SALT), 1.0, ("take salt",), True),
    ],
)
def test_an_action_that_enough_tuples_agree_on_is_taken_without_a_question(
    tuples: tuple[MemoryTuple, ...], share: float | None, instead_of: tuple[str, ...], asked: bool
) -> None:
    kitchen = Kitchen("Action: wait", tuples={SETTING: tuples})
    reply = kitchen.decide(replace(PART, agreement=share), instead_of=instead_of)
    assert bool(kitchen.said) == asked
    if not asked:
        assert reply == Candidates(candidates=(AGREED,))


def test_an_episode_asks_for_the_type_of_its_goal_once() -> None:
    kitchen = Kitchen("Action: wait", "Action: task completed")
    kitchen.solve(React(ReactConfig()), given=(Recollection(version=3, batches=1),))
    assert [request.goal for request in kitchen.requests(Classify)] == [GOAL]
    assert {request.goal_type for request in kitchen.requests(Recall)} == {len(GOAL) % 5 + 1}
    (first, *_) = kitchen.requests(Recall)
    assert first.batch == 1
    assert kitchen.requests(Solve)


@pytest.mark.parametrize(
    ("part", "batch", "asked"),
    [
        (PART, 2, False),
        (PART, 1, True),
        (replace(PART, goal="another"), 2, True),
        (replace(PART, goal="another", retrieval="lexical"), 2, True),
        (replace(PART, goal="another", retrieval="embedding"), 2, False),
        (replace(PART, goal="another", batches=0), 2, False),
    ],
)
def test_the_type_of_a_goal_is_asked_for_where_it_is_not_known(part: Recollection, batch: int, asked: bool) -> None:
    kitchen = Kitchen()
    found = converse(lambda: with_goal_type(kitchen, part, GOAL, batch=batch))
    assert found.batch == batch
    assert bool(kitchen.requests(Classify)) == asked
    if asked:
        assert (found.goal, found.goal_type) == (GOAL, len(GOAL) % 5 + 1)


def test_a_first_step_without_an_evaluation_says_its_goal() -> None:
    first = replace(PEPPER, summary=NOTHING_DONE)
    kitchen = Kitchen("Action: wait", tuples={SETTING: (first, replace(first, summary="Hm."))})
    kitchen.decide(PART)
    assert "1. Observation: A drawer.\nInstruction: cook\nSummary: " in kitchen.said[0][-1]
    assert "2. Observation: A drawer." in kitchen.said[0][-1]


BEEHIVE = Task(name="beehive", seed=7)
FIRST, SECOND = Session(id="1", host="a"), Session(id="2", host="b")
ACTED = Stepped(observation="Done.", reward=0.0, done=False, rejected=False)


async def commit(*events: AnyEvent) -> None: ...


def context_at(path: str) -> RequestContext:
    return RequestContext(Path(path), 1, Recording(Path(path)), commit, lambda _: None)


def begun() -> RequestContext:
    context = context_at("beehive/0/0")
    opened = Opened(session=FIRST, observation="", setting="", goal="")
    note_trail(Open(task=BEEHIVE), opened, context)
    return context


def before(request: Request[Any], context: RequestContext) -> tuple[str, ...] | None:
    trail = trail_before(request, context, lambda name: Task(name=name, seed=1))
    return None if trail is None else trail.actions


def step(context: RequestContext, session: Session, action: str) -> None:
    note_trail(Step(session=session, action=action), ACTED, context)


def executed(*actions: str) -> Message:
    turns = tuple(turn_of(action, "Done.") for action in actions)
    return Executed(completed=True, claimed=True, stop="claimed", reward=0.0, done=False, calls=1, turns=turns)


def execute(session: Session) -> Execute:
    return Execute(session=session, setting="", goal="", max_calls=9, patience=9)


def test_a_request_about_a_session_begins_where_the_session_is() -> None:
    context = begun()
    step(context, FIRST, "get log")
    note_trail(execute(FIRST), executed("craft planks"), context)
    assert before(execute(FIRST), context) == ("get log", "craft planks")
    inner = Solve(task=BEEHIVE, session=FIRST)
    note_trail(inner, Solved(session=SECOND, reward=0.0, done=False, turns=(turn_of("get string", ""),)), context)
    assert before(execute(SECOND), context) == ("get log", "craft planks", "get string")
    assert before(execute(FIRST), context) == ("get log", "craft planks"), "the first was left as it was"


def test_turns_begin_where_the_method_did_and_other_questions_stand_where_it_acted_last() -> None:
    context = begun()
    step(context, FIRST, "get log")
    assert before(Value(setting="", goal="", turns=()), context) == ()
    assert before(Decide(setting="", goal=""), context) == ()
    assert before(Decide(setting="", goal="", parts=(Situation(observation=""),)), context) == ("get log",)
    assert before(MakePlan(setting="", goal=""), context) == ("get log",)


def test_a_snapshot_keeps_what_was_done_before_it() -> None:
    context = begun()
    step(context, FIRST, "get log")
    note_trail(Snapshot(session=FIRST), Snapshotted(snapshot=b"there"), context)
    step(context, FIRST, "burn log")
    opened = Opened(session=SECOND, observation="", setting="", goal="")
    note_trail(Open(task=BEEHIVE, snapshot=b"there", origin="1"), opened, context)
    assert before(execute(SECOND), context) == ("get log",)
    assert before(MakePlan(setting="", goal=""), context) == ("get log",)


def test_branches_know_the_sessions_of_others_and_act_where_they_act() -> None:
    context = begun()
    branch = context.below(context.next(), 1)
    note_trail(Fork(session=FIRST), Forked(session=SECOND), branch)
    step(branch, SECOND, "get log")
    assert before(MakePlan(setting="", goal=""), branch) == ("get log",)
    assert before(MakePlan(setting="", goal=""), context) == ()
    assert before(execute(SECOND), context) == ("get log",)


def test_a_reflection_begins_at_the_start_of_its_job() -> None:
    job = Reflect(experience=Experience(task="rail", opening="", turns=()), plan="", succeeded=False)
    found = trail_before(job, context_at("~learn/0/0"), lambda name: Task(name=name, seed=1))
    assert found == Trail(task=Task(name="rail", seed=1))
