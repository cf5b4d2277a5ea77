"""Turns whose thought, action and formal action are completions of their own."""

from typing import Any, Literal

import pytest

from quintet.errors import UsageError
from quintet.messages.environment import ListActions
from quintet.messages.execution import Act, Candidate, Candidates, Claim, Decide, Decision, Executed, Turn, Unreadable
from quintet.messages.prompts import PromptAddress
from quintet.parsing.decisions import FORM
from quintet.ports.model import Completion, Finish, SamplingOverride
from quintet.ports.world import World
from tests.actors.fakes import (
    FORMALIZER,
    GOAL,
    INSTRUCTIONS,
    SETTING,
    THOUGHT,
    Answering,
    Kitchens,
    contents,
    converse,
)
from tests.actors.methods.pantry import ACTIONS, Pantry

OPENING = [f"system: {INSTRUCTIONS}", f"user: {SETTING}\n\nGoal: {GOAL}."]
FORMAL = {"the salt": "take salt", "supper": "serve", "patience": "wait", "fly": "fly", "wait": "wait", "something": ""}


class Speaker(Answering):
    """Wants one thing after the other, a thought and an action each, and knows what it is called.

    Args:
        wants: what it wants; an action is formalized as `FORMAL` says.
    """

    def __init__(self, *wants: str) -> None:
        self._wants = wants
        super().__init__(self._speak)

    def _speak(self, said: list[str]) -> str:
        if said[0] == f"system: {FORMALIZER}":
            return f"Action: {FORMAL[said[1].removeprefix('user: Action: ')]}"
        want = self._wants[sum(line.startswith("user: ") for line in said) - (2 if said[-1] == "user: Action:" else 1)]
        return want if said[-1] == "user: Action:" else f"Thought: I want {want}."


class Kitchen(Kitchens):
    def __init__(self, *wants: str, world: World | None = None) -> None:
        self.model = Speaker(*wants)
        super().__init__(self.model, world=world, apart=True)

    def execute(self, **asked: Any) -> Executed:
        return super().execute(claims=False, **asked)

    @property
    def said(self) -> list[list[str]]:
        """Every prompt, in order."""
        return [contents(prompt) for prompt in self.model.prompts]


def test_a_turn_is_a_thought_an_action_and_the_action_formalized() -> None:
    kitchen = Kitchen("the salt", "supper")
    executed = kitchen.execute()
    assert kitchen.actions == ["take salt", "serve"]
    assert (executed.stop, executed.completed, executed.calls) == ("done", True, 2)
    assert executed.turns == (
        Turn(completion="Thought: I want the salt.\nAction: take salt", observation="You take salt."),
        Turn(completion="Thought: I want supper.\nAction: serve", observation="Supper is served."),
    )
    after = [*OPENING, "assistant: Thought: I want the salt.\nAction: take salt"]
    assert kitchen.said == [
        [OPENING[0], f"{OPENING[1]}\n\n{THOUGHT}"],
        [*OPENING, "assistant: Thought: I want the salt.", "user: Action:"],
        [f"system: {FORMALIZER}", "user: Action: the salt"],
        [*after, f"user: You take salt.\n\n{THOUGHT}"],
        [*after, "user: You take salt.", "assistant: Thought: I want supper.", "user: Action:"],
        [f"system: {FORMALIZER}", "user: Action: supper"],
    ]


def test_roles_always_alternate() -> None:
    kitchen = Kitchen("the salt", "something", "fly", "patience", "supper")
    kitchen.execute()
    for said in kitchen.said:
        roles = [line.split(":", 1)[0] for line in said]
        assert roles == (["system"] + ["user", "assistant"] * len(roles))[: len(roles)]
        assert roles[-1] == "user"


def test_a_conversation_keeps_every_turn_a_fixed_number_of_times() -> None:
    kitchen = Kitchen(*["patience"] * 30)
    kitchen.execute(max_calls=30)
    kept = 0
    known: set[PromptAddress] = set()
    for prompt in kitchen.model.prompts:
        nodes = prompt.nodes_since(known)
        kept += sum(len(node.appended) for node in nodes)
        known.update(node.address for node in nodes)
    thought, action, answer = 2, 2, 2
    same_formal, same_instructions = 2, 1
    assert kept == 30 * (thought + action + answer) + same_formal - same_instructions


def test_each_call_ends_where_what_follows_it_would_begin_and_is_drawn_as_the_request_wants() -> None:
    kitchen = Kitchen("supper")
    kitchen.execute(sampling=SamplingOverride(temperature=1.0, top_p=0.9))
    drawn = [(sampling.temperature, sampling.top_p, *sampling.stop) for sampling in kitchen.model.samplings]
    begun = (1.0, 0.9, "###", "\nObservation:")
    assert drawn == [(*begun, "\nAction:"), (*begun, "\nThought:"), (*begun, "\nThought:")]


def test_the_budget_counts_turns() -> None:
    kitchen = Kitchen(*["patience"] * 4)
    executed = kitchen.execute(max_calls=4)
    assert (executed.stop, executed.calls, len(kitchen.model.prompts)) == ("budget", 4, 12)


def test_a_formal_action_that_cannot_be_read_leaves_the_raw_one() -> None:
    kitchen = Kitchen("something", "something")
    executed = kitchen.execute(patience=2)
    assert kitchen.actions == ["something"] * 2
    assert executed.stop == "patience"


def test_an_action_that_is_none_costs_a_turn_and_is_answered_with_the_form() -> None:
    kitchen = Kitchen("", "supper")
    executed = kitchen.execute()
    assert (executed.calls, kitchen.actions) == (2, ["serve"])
    assert len(kitchen.model.prompts) == 5
    *_, thought, reminder = kitchen.said[2]
    assert thought == "assistant: Thought: I want ."
    assert reminder.startswith("user: I found no action")
    assert reminder.endswith(f"{FORM}\n\n{THOUGHT}")


@pytest.mark.parametrize("finish", ["refusal", "context_full", "empty", "content_filter"])
def test_without_a_thought_no_action_is_asked_for(finish: Finish) -> None:
    model = Answering(lambda _said: Completion(text="", finish=finish))
    reply = converse(lambda: Kitchens(model, apart=True).ask(Decide(setting=SETTING, goal=GOAL)))
    undecided = Unreadable(expected=FORM, finish=finish)
    assert reply == Candidates(candidates=(Candidate(completion="", decision=undecided),))
    assert len(model.prompts) == 1


@pytest.mark.parametrize(
    ("thinking", "kept"), [("Thought: I want the", "Thought: I want the"), ("<think>I want the", ""), ("", "")]
)
def test_a_thought_that_was_cut_off_is_one_and_reasoning_alone_is_none(thinking: str, kept: str) -> None:
    def answer(said: list[str]) -> Completion:
        cut = Completion(text=thinking, finish="length")
        return Completion(text="Action: wait") if said[-1].startswith("user: Action:") else cut

    model = Answering(answer)
    reply = converse(lambda: Kitchens(model, apart=True).ask(Decide(setting=SETTING, goal=GOAL)))
    (candidate,) = reply.candidates
    assert candidate.completion == (f"{kept}\nAction: wait" if kept else "")
    assert len(model.prompts) == (3 if kept else 1)


@pytest.mark.parametrize(
    ("acting", "decision"),
    [
        (Completion(text="go to cabinet 1", finish="length"), Unreadable(expected=FORM, finish="length")),
        (Completion(text="Action: wait\nObser", finish="length"), Act(thought="x", action="wait")),
        (Completion(text="I cannot", finish="refusal"), Unreadable(expected=FORM, finish="refusal")),
        (Completion(text="", finish="context_full"), Unreadable(expected=FORM, finish="context_full")),
    ],
)
def test_an_action_that_is_not_whole_is_none(acting: Completion, decision: Decision) -> None:
    def answer(said: list[str]) -> Completion:
        return acting if said[-1] == "user: Action:" else Completion(text="Thought: x")

    model = Answering(answer)
    reply = converse(lambda: Kitchens(model, apart=True).ask(Decide(setting=SETTING, goal=GOAL)))
    assert [candidate.decision for candidate in reply.candidates] == [decision]


@pytest.mark.parametrize(
    "formal",
    [
        Completion(text="Action: take sal", finish="length"),
        Completion(text="Action: burn", finish="refusal"),
        Completion(text="Action: burn", finish="content_filter"),
        Completion(text="", finish="empty"),
    ],
)
def test_a_formalizer_that_gives_no_whole_action_leaves_the_raw_one(formal: Completion) -> None:
    def answer(said: list[str]) -> Completion:
        if said[0] == f"system: {FORMALIZER}":
            return formal
        return Completion(text="take salt" if said[-1] == "user: Action:" else "Thought: x")

    reply = converse(lambda: Kitchens(Answering(answer), apart=True).ask(Decide(setting=SETTING, goal=GOAL)))
    assert [candidate.decision for candidate in reply.candidates] == [Act(thought="x", action="take salt")]


def test_a_silent_model_is_not_sent_anything_empty() -> None:
    model = Answering(lambda _said: "")
    roles = Kitchens(model, apart=True)
    converse(lambda: roles.ask(Decide(setting=SETTING, goal=GOAL)))
    assert contents(model.prompts[1]) == [*OPENING, "assistant: Thought: (nothing)", "user: Action:"]


@pytest.mark.parametrize(
    ("world", "formalized", "rewritten", "listed"),
    [
        (Pantry(ACTIONS), "illegal", ["supper"], 2),
        (None, "illegal", ["wait", "supper"], 2),
        (None, "always", ["wait", "supper"], 0),
    ],
)
def test_all_actions_are_rewritten_or_those_that_the_world_does_not_list(
    world: World | None, formalized: Literal["always", "illegal"], rewritten: list[str], listed: int
) -> None:
    kitchen = Kitchen("wait", "supper", world=world)
    kitchen.execute(formalized=formalized)
    assert kitchen.actions == ["wait", "serve"]
    asked = [said[1].removeprefix("user: Action: ") for said in kitchen.said if said[0] == f"system: {FORMALIZER}"]
    assert asked == rewritten
    assert len(kitchen.requests(ListActions)) == listed


def test_deciding_takes_a_turn_and_does_nothing_in_the_world() -> None:
    kitchen = Kitchen("the salt", "supper")
    history = (Turn(completion="Thought: I want the salt.\nAction: take salt", observation="You take salt."),)
    reply = converse(lambda: kitchen.ask(Decide(setting=SETTING, goal=GOAL, history=history, n=2)))
    thought = "I want supper."
    served = Candidate(completion=f"Thought: {thought}\nAction: serve", decision=Act(thought=thought, action="serve"))
    assert reply == Candidates(candidates=(served, served))
    assert kitchen.actions == []


def test_another_action_is_asked_for_before_the_thought() -> None:
    kitchen = Kitchen("the salt")
    converse(lambda: kitchen.ask(Decide(setting=SETTING, goal=GOAL, instead_of=("serve",))))
    tried = "Tried at this point already:\n- serve\nChoose another action than these."
    assert kitchen.said[0][-1] == f"{OPENING[1]}\n\n{tried}\n\n{THOUGHT}"
    assert kitchen.said[1][1] == f"{OPENING[1]}\n\n{tried}"


def test_turns_of_several_completions_have_no_candidates_with_confidences() -> None:
    request = Decide(setting=SETTING, goal=GOAL, n=2, with_confidence=True)
    with pytest.raises(UsageError, match=r"thought and action in one completion, got .* decide\.thought"):
        converse(lambda: Kitchen().ask(request))


def test_a_claim_reads_like_one_completion_and_is_not_rewritten() -> None:
    kitchen = Kitchen("task completed")
    reply = converse(lambda: kitchen.ask(Decide(setting=SETTING, goal=GOAL)))
    thought = "I want task completed."
    claim = Claim(thought=thought, completed=True)
    said = f"Thought: {thought}\nAction: task completed"
    assert reply == Candidates(candidates=(Candidate(completion=said, decision=claim),))
    assert len(kitchen.model.prompts) == 2


def test_a_turn_without_an_action_gives_its_thought_to_no_other() -> None:
    said = iter(("Thought: lost.", "Thought: still lost.", "", "take salt", "take salt", "Thought: lost.", ""))
    executed = Kitchens(Answering(lambda _said: next(said)), apart=True).execute(claims=False, max_calls=3)
    assert executed.turns == (Turn(completion="Action: take salt", observation="You take salt."),)
