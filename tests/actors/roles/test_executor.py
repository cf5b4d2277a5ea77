from typing import Any

import pytest
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.messages.environment import Step
from quintet.messages.execution import Act, Candidate, Candidates, Claim, Decide, Executed, Turn, Unreadable
from quintet.messages.parts import Demonstrations, Inventory, LastAction, TaskPlan
from quintet.messages.prompts import Prompt
from quintet.parsing.decisions import FORM
from quintet.ports.model import Completion, Finish, Sampling, SamplingOverride
from quintet.roles.executor import Executor
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import ENDED
from tests.actors.fakes import GOAL, INSTRUCTIONS, SETTING, THOUGHT, Answering, Kitchens, Script, contents, converse


class Kitchen(Kitchens):
    """An executor with its model, and what it did."""

    def __init__(self, *answers: str | Completion) -> None:
        self.model = Script({GOAL: answers})
        super().__init__(self.model)


def test_a_claim_ends_the_run() -> None:
    kitchen = Kitchen("Thought: salt.\nAction: take salt", "Action: task completed")
    assert kitchen.execute() == Executed(
        completed=True,
        claimed=True,
        stop="claimed",
        reward=0.0,
        done=False,
        calls=2,
        last_action="take salt",
        last_observation="You take salt.",
        turns=(Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt."),),
    )
    assert kitchen.actions == ["take salt"]


REFUSED, FULL = Completion(text="", finish="refusal"), Completion(text="", finish="context_full")
# An action with another answer, or another action with the same one, is no repeat.
REPEATING = "inventory, take salt, inventory, inventory, inventory, wait, wait"


@pytest.mark.parametrize(
    ("said", "asked", "end"),
    [
        pytest.param(["task failed"], {}, ("claimed", False, False, 1, 0.0), id="a claim of failure is not completed"),
        pytest.param(["wait"] * 3, {"max_calls": 3}, ("budget", False, None, 3, 0.0), id="calls are counted"),
        pytest.param(
            ["fly", "fly", "wait", "fly", "fly", "fly"],
            {},
            ("patience", False, None, 6, 0.0),
            id="rejections in a row are counted",
        ),
        pytest.param(["", "fly", ""], {}, ("patience", False, None, 3, 0.0), id="the unreadable costs patience"),
        pytest.param([REFUSED] * 3, {}, ("patience", False, None, 3, 0.0), id="what holds no answer costs patience"),
        *(
            pytest.param(
                REPEATING.split(", "),
                {"max_calls": 7, "max_repeats": most},
                (stop, False, None, calls, 0.0),
                id=f"{most} repeats",
            )
            for most, stop, calls in ((3, "repeats", 5), (4, "budget", 7), (None, "budget", 7))
        ),
        pytest.param(["fly"] * 3, {"max_repeats": 3}, ("patience", False, None, 3, 0.0), id="patience before repeats"),
        pytest.param(
            ["fly"] * 3,
            {"patience": 4, "max_repeats": 3},
            ("repeats", False, None, 3, 0.0),
            id="repeats before patience",
        ),
        pytest.param(["take salt", FULL], {}, ("context", False, None, 2, 0.0), id="a full context ends it at once"),
        pytest.param(["serve", FULL], {}, ("done", True, None, 2, 1.0), id="a full context undoes nothing earned"),
        pytest.param(["serve", "take salt"], {}, ("done", True, None, 2, 1.0), id="when done only a claim counts"),
        pytest.param(["serve", ""], {}, ("done", True, None, 2, 1.0), id="when done the unreadable is nothing"),
        pytest.param(["serve"], {"claims": False}, ("done", True, None, 1, 1.0), id="it need not be asked for a claim"),
        pytest.param(["present"], {}, ("done", True, True, 1, 0.5), id="a final answer is the claim"),
        pytest.param(["present"], {"claims": False}, ("done", False, None, 1, 0.5), id="it is none unasked"),
        pytest.param(["task failed"], {"claims": False}, ("claimed", False, False, 1, 0.0), id="it may claim unasked"),
        pytest.param(["serve"], {"max_calls": 1}, ("done", True, None, 1, 1.0), id="no budget for a claim"),
        pytest.param(["taste", "burn", "wait"], {}, ("done", False, None, 3, 0.5), id="without full reward"),
        pytest.param(["serve", "task failed"], {}, ("done", False, False, 2, 1.0), id="a claim against the reward"),
    ],
)
def test_a_run_ends_by_claims_budget_patience_repeats_or_the_world(
    said: list[str | Completion], asked: dict[str, Any], end: tuple[str, bool, bool | None, int, float]
) -> None:
    answers = [each if isinstance(each, Completion) else f"Action: {each}" for each in said]
    kitchen = Kitchen(*answers)
    executed = kitchen.execute(**asked)
    assert (executed.stop, executed.completed, executed.claimed, executed.calls, executed.reward) == end
    last = next((place for place, each in enumerate(said, 1) if each in ("serve", "burn")), executed.calls)
    carried_out = [each for each in said[:last] if isinstance(each, str) and each not in ("", "task failed")]
    assert kitchen.actions == carried_out


def test_the_answer_says_what_was_done_and_leaves_out_turns_without_an_action() -> None:
    said = ("Hm.", "Thought: salt.\nAction: take salt\nand more", "Hm.", "Action: fly", "Action: task failed")
    kitchen = Kitchen(*said)
    executed = kitchen.execute()
    assert executed.turns == (
        Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt."),
        Turn(completion="Action: fly", observation="Nothing happens."),
    )
    assert [(step.thought, step.action) for step in kitchen.requests(Step)] == [("salt.", "take salt"), ("", "fly")]
    assert Kitchen("Action: task failed").execute().turns == ()


def test_the_prompt_is_laid_out_as_documented() -> None:
    kitchen = Kitchen("Thought: salt.\nAction: take salt\nand more", "Action: wait", "Action: task completed")
    shown = Demonstrations(text="An example."), Inventory(text="You carry: nothing"), Demonstrations(text="Another.")
    kitchen.execute(parts=shown)
    assert contents(kitchen.model.prompts[-1]) == [
        f"system: {INSTRUCTIONS}\n\nAn example.\n\nAnother.",
        f"user: {SETTING}\n\nYou carry: nothing\n\nGoal: {GOAL}.",
        "assistant: Thought: salt.\nAction: take salt",
        "user: You take salt.",
        "assistant: Action: wait",
        "user: (nothing)",
    ]


def test_a_plan_is_shown_before_the_task_and_named_as_one() -> None:
    kitchen = Kitchen("Action: task failed")
    kitchen.execute(parts=[Demonstrations(text="An example."), TaskPlan(text="1. Take salt.")])
    shown = f"system: {INSTRUCTIONS}\n\nAn example.\n\nA plan for tasks of this kind:\n\n1. Take salt."
    assert contents(kitchen.model.prompts[0])[0] == shown


@pytest.mark.parametrize(
    ("observation", "answered"), [("You take salt.\n", "\nIt was answered: You take salt."), ("", ""), (" \n", "")]
)
def test_the_last_action_is_said_with_the_goal_and_so_is_the_answer_if_it_says_anything(
    observation: str, answered: str
) -> None:
    kitchen = Kitchen("Action: task failed")
    kitchen.execute(parts=[LastAction(action="take salt", observation=observation)])
    reminder = f"user: {SETTING}\n\nThe last action that was carried out: take salt{answered}\n\nGoal: {GOAL}."
    assert contents(kitchen.model.prompts[0])[1] == reminder


def test_the_last_action_that_was_carried_out_is_reported_with_its_answer() -> None:
    executed = Kitchen("Action: take salt", "Action: take oil", "Action: fly", "Action: task failed").execute()
    assert (executed.last_action, executed.last_observation) == ("take oil", "You take oil.")
    none = Kitchen("Action: fly", "Action: task failed").execute()
    assert (none.last_action, none.last_observation) == ("", "")


def test_without_setting_and_ingredients_nothing_stands_in_their_place() -> None:
    kitchen = Kitchen("Action: task failed")
    kitchen.execute(setting="")
    assert contents(kitchen.model.prompts[0]) == [f"system: {INSTRUCTIONS}", f"user: Goal: {GOAL}."]


def test_prompts_grow_by_one_turn_and_share_all_before_it() -> None:
    kitchen = Kitchen(*["Action: wait"] * 5)
    kitchen.execute(max_calls=5)
    nodes = [prompt.node for prompt in kitchen.model.prompts]
    assert [node.parent for node in nodes[1:]] == [node.address for node in nodes[:-1]]
    assert [len(node.appended) for node in nodes] == [1, 2, 2, 2, 2]


def test_without_thoughts_an_action_alone_is_asked_for_and_no_thought_is_kept() -> None:
    kitchen = Kitchen("Action: take salt", "Thought: pepper.\nAction: take pepper", "Hm.", "Action: task completed")
    executed = kitchen.execute(thoughts=False)
    assert executed.turns == (
        Turn(completion="Action: take salt", observation="You take salt."),
        Turn(completion="Action: take pepper", observation="You take pepper."),
    )
    assert (executed.completed, [step.thought for step in kitchen.requests(Step)]) == (True, ["", ""])
    assert contents(kitchen.model.prompts[-1])[-1].endswith("Please answer in this form:\n\nAction: one action")


def test_without_thoughts_a_structured_answer_is_an_action_alone() -> None:
    forms: list[str | None] = []

    class Formed(Answering):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            forms.append(sampling.form)
            return await super().complete(prompt, sampling)

    model = Formed(lambda said: '{"action":"task failed"}' if len(said) > 2 else "Hm.")
    assert Kitchens(model, answers="schema").execute(thoughts=False).claimed is False
    assert forms == ["action", "action"]
    assert contents(model.prompts[-1])[-1].endswith('{"action":"one action"}')


def test_an_unreadable_completion_is_answered_with_the_expected_form() -> None:
    kitchen = Kitchen("Hm.", "Action: task failed")
    kitchen.execute()
    said, reminder = contents(kitchen.model.prompts[-1])[-2:]
    assert said == "assistant: Hm."
    assert reminder.startswith("user: I found no action")
    assert reminder.endswith(FORM)


@pytest.mark.parametrize("apart", [False, True])
def test_where_answers_are_json_the_form_that_is_shown_is_too(apart: bool) -> None:
    model = Answering(lambda _said: "")
    Kitchens(model, apart=apart, answers="schema").execute(patience=2)
    form = '{"thought":"what you know so far and what has to happen next","action":"one action"}'
    assert any(f"Please answer in this form:\n\n{form}" in contents(prompt)[-1] for prompt in model.prompts)


def test_an_action_after_its_thought_is_asked_for_in_json_where_answers_are_json() -> None:
    model = Answering(lambda said: '{"thought":"Now."}' if said[-1].endswith(THOUGHT) else '{"action":"serve"}')
    Kitchens(model, apart=True, answers="schema").execute(claims=False)
    _, after_thought, *_ = (contents(prompt) for prompt in model.prompts)
    assert after_thought[-2] == "assistant: Thought: Now."
    assert '"action"' in after_thought[-1]


def test_completions_end_where_an_observation_would_begin_and_are_drawn_as_the_request_wants() -> None:
    kitchen = Kitchen(*["Action: task failed"] * 4)
    kitchen.execute()
    varied = SamplingOverride(temperature=1.0, top_p=0.9)
    kitchen.execute(sampling=varied)
    converse(lambda: kitchen.ask(Decide(setting=SETTING, goal=GOAL, n=2, sampling=varied)))
    usual = Sampling(temperature=0.7, stop=("###", "\nObservation:"))
    assert kitchen.model.samplings == [usual, *[usual.overridden(varied)] * 3]


def test_of_a_completion_that_was_cut_off_only_what_no_cut_can_have_shortened_is_done() -> None:
    whole = Completion(text="Thought: salt.\nAction: take salt\nThought: and", finish="length")
    shortened = Completion(text="Thought: salt.\nAction: take salt", finish="length")
    kitchen = Kitchen(whole, shortened, "Action: task completed")
    executed = kitchen.execute()
    assert (executed.calls, kitchen.actions) == (3, ["take salt"])
    said, reminder = contents(kitchen.model.prompts[-1])[-2:]
    assert said == "assistant: Thought: salt.\nAction: take salt"
    assert reminder.startswith("user: Your answer was cut off before its action, so nothing was done.")
    assert reminder.endswith(FORM)


@pytest.mark.parametrize(
    ("finish", "reminder"),
    [
        ("refusal", "You declined"),
        ("content_filter", "Your answer was withheld by a filter"),
        ("tool_calls", "You called a tool"),
        ("empty", "Your answer was empty"),
        ("not_text", "Your answer was no text"),
    ],
)
def test_a_completion_that_holds_no_answer_is_not_read_and_costs_a_turn(finish: Finish, reminder: str) -> None:
    kitchen = Kitchen(Completion(text="Action: take salt", finish=finish), "Action: task failed")
    executed = kitchen.execute()
    assert (executed.calls, kitchen.actions) == (2, [])
    said, answered = contents(kitchen.model.prompts[-1])[-2:]
    assert said == "assistant: (nothing)"
    assert answered.startswith(f"user: {reminder}")
    assert "no action in" in answered
    assert answered.endswith(FORM)


def test_reasoning_is_not_fed_back() -> None:
    kitchen = Kitchen(
        "<think>Action: burn?</think>\nThought: salt.\nAction: take salt", "<think>Hm.", "Action: task failed"
    )
    kitchen.execute()
    assert kitchen.actions == ["take salt"]
    assert [line for line in contents(kitchen.model.prompts[-1]) if line.startswith("assistant: ")] == [
        "assistant: Thought: salt.\nAction: take salt",
        "assistant: (nothing)",
    ]


@pytest.mark.parametrize(
    "completion",
    [
        "Thought: salt.\nAction: take salt\nObservation: You take salt.\nThought: Now pepper.\nAction: take pepper",
        "Thought: salt.\nAction: take salt\nAction: take pepper",
        "Thought: salt.\nAction: take salt\nTask completed!",
    ],
)
def test_what_was_said_after_the_action_does_not_stay_in_the_conversation(completion: str) -> None:
    kitchen = Kitchen(completion, "Action: task failed")
    kitchen.execute()
    assert contents(kitchen.model.prompts[-1])[-2:] == [
        "assistant: Thought: salt.\nAction: take salt",
        "user: You take salt.",
    ]


@pytest.mark.parametrize(("action", "reward", "seen"), [("serve", 1.0, "Supper is served."), ("sell", 0.5, ENDED)])
def test_after_the_world_is_done_the_model_may_still_claim_without_sight_of_the_reward(
    action: str, reward: float, seen: str
) -> None:
    kitchen = Kitchen(f"Action: {action}", "Action: task completed")
    executed = kitchen.execute()
    assert (executed.stop, executed.claimed, executed.reward) == ("done", True, reward)
    assert executed.turns == (Turn(completion=f"Action: {action}", observation=seen),)
    assert contents(kitchen.model.prompts[-1])[-1] == f"user: {seen}"


def test_candidates_come_in_the_order_they_were_drawn_and_equal_ones_are_kept() -> None:
    kitchen = Kitchen("Action: take salt", "Action: task completed", "Action: take salt")
    reply = converse(lambda: kitchen.ask(Decide(setting=SETTING, goal=GOAL, n=3)))
    salt = Candidate(completion="Action: take salt", decision=Act(thought="", action="take salt"))
    done = Candidate(completion="Action: task completed", decision=Claim(thought="", completed=True))
    assert reply.candidates == (salt, done, salt)


def test_deciding_sees_the_very_prompt_that_executing_sees() -> None:
    executing = Kitchen("Action: take salt", "Action: task completed")
    executing.execute(parts=[Demonstrations(text="An example.")])
    deciding = Kitchen("Action: task completed")
    request = Decide(
        setting=SETTING,
        goal=GOAL,
        parts=(Demonstrations(text="An example."),),
        history=(Turn(completion="Action: take salt", observation="You take salt."),),
    )
    converse(lambda: deciding.ask(request))
    assert deciding.model.prompts[0].node == executing.model.prompts[1].node


def test_another_action_than_those_that_were_tried_is_asked_for_in_the_last_message() -> None:
    kitchen = Kitchen("Action: wait", "Action: wait", "Action: wait")
    history = (Turn(completion="Action: take salt", observation="You take salt."),)
    request = Decide(setting=SETTING, goal=GOAL, history=history, instead_of=("serve", "burn"), n=2)
    converse(lambda: kitchen.ask(request))
    tried = "Tried at this point already:\n- serve\n- burn\nChoose another action than these."
    assert [contents(prompt)[-1] for prompt in kitchen.model.prompts] == [f"user: You take salt.\n\n{tried}"] * 2
    converse(lambda: kitchen.ask(replace(request, instead_of=(), n=1)))
    assert contents(kitchen.model.prompts[-1])[-1] == "user: You take salt."


def test_of_an_action_that_nobody_tried_it_is_said_to_suppose_that_it_is_wrong() -> None:
    kitchen = Kitchen("Action: wait")
    converse(lambda: kitchen.ask(Decide(setting=SETTING, goal=GOAL, instead_of=("serve",), tried=False)))
    supposed = "Suppose that this action is wrong: serve\nWhich action do you choose instead?"
    assert contents(kitchen.model.prompts[-1])[-1] == f"user: {SETTING}\n\nGoal: {GOAL}.\n\n{supposed}"


def test_candidates_with_confidences_are_one_completion_and_come_by_confidence() -> None:
    said = "Action: wait (confidence 0.25)\nAction: take salt (confidence 0.5)\nAction: task failed (confidence 0.25)"
    kitchen = Kitchen(said)
    request = Decide(setting=SETTING, goal=GOAL, instead_of=("serve",), n=3, with_confidence=True)
    reply = converse(lambda: kitchen.ask(request))
    assert reply == Candidates(
        candidates=(
            Candidate(completion="Action: take salt", decision=Act(thought="", action="take salt"), confidence=0.5),
            Candidate(completion="Action: wait", decision=Act(thought="", action="wait"), confidence=0.25),
            Candidate(completion="Action: task failed", decision=Claim(thought="", completed=False), confidence=0.25),
        ),
        adjusted=False,
    )
    (prompt,) = kitchen.model.prompts
    tried = "Tried at this point already:\n- serve\nChoose another action than these."
    assert contents(prompt)[-1] == f"user: {SETTING}\n\nGoal: {GOAL}.\n\n{tried}\n\nName 3 actions."


def test_more_candidates_than_were_asked_for_are_left_out_and_the_rest_is_scaled() -> None:
    said = "Action: wait (confidence 0.5)\nAction: serve (confidence 0.3)\nAction: burn (confidence 0.2)"
    reply = converse(lambda: Kitchen(said).ask(Decide(setting=SETTING, goal=GOAL, n=2, with_confidence=True)))
    assert [candidate.confidence for candidate in reply.candidates] == pytest.approx([0.625, 0.375])
    assert reply.adjusted


@pytest.mark.parametrize("finish", ["stop", "length", "refusal", "empty", "context_full", "content_filter"])
def test_without_a_candidate_there_is_one_that_is_unreadable(finish: Finish) -> None:
    said = Completion(text="Action: wait (confidence 0." if finish == "length" else "Hm.", finish=finish)
    reply = converse(lambda: Kitchen(said).ask(Decide(setting=SETTING, goal=GOAL, n=2, with_confidence=True)))
    (candidate,) = reply.candidates
    assert isinstance(candidate.decision, Unreadable)
    assert (candidate.decision.finish, candidate.confidence, reply.adjusted) == (finish, None, False)
    assert candidate.decision.expected.startswith("Action: one action (confidence 0.6)\n")


def test_of_a_completion_that_was_cut_off_the_candidates_before_the_cut_count() -> None:
    said = Completion(text="Action: wait (confidence 0.5)\nAction: serve (confidence 0.4", finish="length")
    reply = converse(lambda: Kitchen(said).ask(Decide(setting=SETTING, goal=GOAL, n=2, with_confidence=True)))
    assert [(each.completion, each.confidence) for each in reply.candidates] == [("Action: wait", 1.0)]
    assert reply.adjusted


def test_json_is_asked_for_and_read_where_answers_are_structured() -> None:
    model = Script({GOAL: ['{"candidates": [{"action": "wait", "confidence": 1}]}']})
    request = Decide(setting=SETTING, goal=GOAL, with_confidence=True)
    reply = converse(lambda: Kitchens(model, answers="schema").ask(request))
    assert [(each.completion, each.confidence) for each in reply.candidates] == [("Action: wait", 1.0)]
    assert [sampling.form for sampling in model.samplings] == ["candidates"]


def test_a_prompt_for_candidates_must_say_how_many() -> None:
    executor = Executor(
        RoleModel(Script({}), Sampling()), Kitchen(), {"decide": INSTRUCTIONS, "decide.candidates": "Name some."}
    )
    with pytest.raises(UsageError, match=r"decide\.candidates: expected \{n\}"):
        converse(lambda: executor.receive(Decide(setting=SETTING, goal=GOAL, with_confidence=True)))


@pytest.mark.parametrize("part", ["thought", "formalizer"])
def test_thought_and_formalizer_go_together(part: str) -> None:
    kitchen = Kitchen()
    prompts = {"execute": INSTRUCTIONS, f"execute.{part}": "What next?"}
    with pytest.raises(UsageError, match=rf"execute\.formalizer or neither, got execute\.{part} alone"):
        Executor(RoleModel(kitchen.model, Sampling()), kitchen, prompts)
