"""What an answer to a question with tools is worth."""

from collections.abc import Mapping
from typing import Any

import pytest

from quintet.environments.tool_world.rubric import Scorer
from quintet.environments.tool_world.world import ToolWorld
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.plugins.code_places import defined_at, raised_at
from quintet.ports.world import AnswerToGrade, Outcome
from tests.simulation.virtual import run


def exact(sample: str, answer: str) -> float:
    return float(answer == sample)


async def short(sample: str, answer: str) -> float:
    return 1 / max(1, len(answer.split()))


def graded(sample: str, answer: str) -> AnswerToGrade:
    return AnswerToGrade(question="Which colour?", target=sample, answer=answer)


def world(rubric: Mapping[str, Scorer], **options: Any) -> ToolWorld:
    return ToolWorld("colours", {"one": "green"}, question=str, tools=lambda _: {}, rubric=rubric, **options)


def answered(asked: ToolWorld, answer: str, verdict: bool | None = None) -> Outcome:
    async def go() -> Outcome:
        state = await asked.open(Task(name="one", seed=0))
        outcome = await state.step(asked.answer_action(answer))
        if outcome.to_grade:
            outcome = await state.graded((verdict,))
        await state.close()
        return outcome

    return run(go())


def test_the_reward_is_the_weighted_mean_and_each_score_a_figure() -> None:
    outcome = answered(world({"exact": exact, "short": short}), "all green")
    assert (outcome.reward, outcome.figures) == (0.25, {"exact": 0.0, "short": 0.5})
    outcome = answered(world({"exact": exact, "short": short}, weights={"short": 0}), "green")
    assert (outcome.reward, outcome.figures, outcome.done) == (1.0, {"exact": 1.0, "short": 1.0}, True)


@pytest.mark.parametrize(("verdict", "reward"), [(True, 1.0), (False, 0.5), (None, 0.5)])
def test_a_judges_verdict_is_one_of_the_scores(verdict: bool | None, reward: float) -> None:
    asked = world({"judge": graded, "short": short}, judged=True)
    assert asked.needs_judge
    outcome = answered(asked, "verdant", verdict)
    assert outcome.reward == reward
    assert outcome.figures == {"short": 1.0} | ({} if verdict is None else {"judge": float(verdict)})


def test_a_fork_of_a_graded_state_keeps_the_verdict() -> None:
    async def go() -> Outcome:
        asked = world({"judge": graded}, judged=True, forks="replay")
        state = await asked.open(Task(name="one", seed=0))
        await state.step(asked.answer_action("verdant"))
        await state.graded((True,))
        fork = await state.fork()
        return await fork.step("again")

    assert run(go()).reward == 1.0


@pytest.mark.parametrize(
    ("rubric", "weights", "error"),
    [
        ({}, None, "weights: expected each >= 0 and one > 0, got {}"),
        ({"exact": exact}, {"exakt": 1}, "colours: weights: expected one of exact, got exakt"),
        ({"exact": exact}, {"exact": 0}, "expected each >= 0 and one > 0"),
        ({"exact": exact, "short": short}, {"exact": -1}, "expected each >= 0 and one > 0"),
    ],
)
def test_a_rubric_that_earns_nothing_is_refused(
    rubric: Mapping[str, Scorer], weights: Mapping[str, float] | None, error: str
) -> None:
    with pytest.raises(UsageError, match=error):
        world(rubric, weights=weights)


def double(_: str, __: str) -> float:
    return 2.0


def words(_: str, __: str) -> Any:
    return "1"


@pytest.mark.parametrize(
    ("scorer", "error"),
    [
        (double, r"exact: expected a score within \[0, 1\], got 2.0"),
        (words, r"exact: expected a score within \[0, 1\], got '1'"),
        (graded, "say judged=True"),
    ],
)
def test_what_is_no_score_is_a_bug_of_its_function(scorer: Scorer, error: str) -> None:
    with pytest.raises(ValueError, match=error) as raised:
        answered(world({"exact": scorer}), "green")
    assert raised_at(raised.value) == defined_at(scorer)


def test_a_tool_cannot_have_the_name_of_the_last_action() -> None:
    asked = ToolWorld("shop", {"one": 1}, question=str, tools=lambda _: {"submit": print}, rubric={"any": exact})
    with pytest.raises(UsageError, match="tools: expected other names than submit"):
        run(asked.open(Task(name="one", seed=0)))
