"""Judges that grade within a step, and episodes that go back: killed, looked up, and gone on with."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.errors import EndpointUnavailable
from quintet.events import CallMade, EpisodeEnded, Exchanged, Record, SessionForked, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Task
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.methods.base.prompts import Prompts
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.methods.naive.naive import Naive
from quintet.plugins.prompts import find_prompts
from quintet.ports.model import Asked, Completion, Model, Sampling, Usage
from quintet.roles.registry import default_prompts, prompts_of
from quintet.runtime.incarnation import Planned
from quintet.runtime.retries import RetryPolicy
from quintet.runtime.spec import Limits, RunSpec
from quintet.testing.content import before, content_of, first_difference_in_decisions
from quintet.testing.replay import left_by_kill, run_episode
from tests.actors.quiz import TOWN, Quiz, QuizState
from tests.actors.shop import TEA, Shop
from tests.simulation.scenes import ends_of, spec_of

_DEFAULTS = Prompts([], "quiz", defaults=default_prompts())
PROMPTS = {name: _DEFAULTS.text(name) for name in ("grade", "grade.reason")}


class Judge:
    """Answers in turn, each after some seconds; the last answer is repeated."""

    name = "judge"

    def __init__(self, *answers: str, seconds: float = 0.0) -> None:
        self.answers = answers
        self.seconds = seconds
        self.asked = 0
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.asked += 1
        self.prompts.append(prompt)
        await asyncio.sleep(self.seconds)
        text = self.answers[min(self.asked, len(self.answers)) - 1]
        return Completion(text=text, usage=Usage(prompt_tokens=10, completion_tokens=5))


class Away:
    """An endpoint that never answers."""

    name = "away"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise EndpointUnavailable("away")


def quiz(judge: Model | None, method: type[Expert] = Expert, limits: Limits | None = None) -> RunSpec:
    return spec_of(method(ExpertConfig()), PROMPTS, judge, world=Quiz(), roles=("judge",), limits=limits or Limits())


def ended(records: Sequence[Record]) -> EpisodeEnded:
    (event,) = [record.event for record in records if isinstance(record.event, EpisodeEnded)]
    return event


def test_a_verdict_is_part_of_the_step_and_everything_of_it_is_journaled_below_the_step() -> None:
    records = run_episode(quiz(Judge("Correct: YES")), TOWN.name, calls=0)
    end = ended(records)  # by no call of its own
    assert (end.reward, end.figures) == (1.0, {"exact": 0.0, "judge": 1.0})
    events = [record.event for record in records]
    step = next(event for event in events if isinstance(event, StepTaken) and event.done)
    (call,) = [event for event in events if isinstance(event, CallMade)]
    (verdict,) = [event for event in events if isinstance(event, Exchanged) and event.request == "grade"]
    assert (call.phase, call.model, call.path) == ("grade", "judge", f"{step.path}/1/1")
    assert (verdict.path, verdict.reply) == (f"{step.path}/1", '{"type":"graded","correct":true}')


def test_a_judge_is_asked_by_the_criterion_that_the_world_names() -> None:
    judge = Judge("Correct: YES")
    run_episode(replace(quiz(judge), world=Quiz(criterion="reason")), TOWN.name)
    (prompt,) = judge.prompts
    assert prompt.messages()[0].content == PROMPTS["grade.reason"]


def test_without_a_judge_and_without_a_verdict_the_world_s_own_outcome_stands() -> None:
    unclear = Judge("Hm.")
    for judge in (None, unclear):
        end = ended(run_episode(quiz(judge), TOWN.name))
        assert (end.reward, end.figures) == (0.0, {"exact": 0.0})
    assert unclear.asked == 2


def test_an_episode_that_stops_before_its_world_had_a_score_has_it_at_0() -> None:
    end = ended(run_episode(spec_of(Expert(ExpertConfig(max_steps=1)), PROMPTS, world=Quiz()), TOWN.name))
    assert (end.reward, end.figures) == (0.0, {"exact": 0.0})


def test_a_world_s_naive_policy_is_graded_alike() -> None:
    end = ended(run_episode(quiz(Judge("Correct: NO"), Naive), TOWN.name))
    assert (end.reward, end.figures) == (0.0, {"exact": 0.0, "judge": 0.0})


@pytest.mark.parametrize("answers", [("Correct: YES",), ("Hm.", "Correct: YES")])
def test_a_kill_between_the_verdict_and_its_step_or_anywhere_repeats_no_recorded_call(
    answers: tuple[str, ...],
) -> None:
    whole = run_episode(quiz(Judge(*answers)), TOWN.name)
    calls = [place for place, record in enumerate(whole) if isinstance(record.event, CallMade)]
    steps = [place for place, record in enumerate(whole) if isinstance(record.event, StepTaken)]
    assert calls[-1] < steps[-1]
    for most in range(1, len(whole)):
        left = whole[:most]
        judge = Judge(*answers)
        judge.asked = recorded = sum(isinstance(record.event, CallMade) for record in left)
        resumed = run_episode(quiz(judge), TOWN.name, left)
        assert content_of(resumed) == content_of(whole), most
        assert judge.asked == max(recorded, len(answers)), most


EPISODE = Planned(episode_path(TOWN.name, 0, 0), Solve(task=TOWN))


async def test_a_journal_counts_the_answers_that_got_no_verdict() -> None:
    for judge, without in ((Judge("Hm."), 1), (Judge("Correct: NO"), 0)):
        journal = SqliteJournal(":memory:")
        await ends_of(quiz(judge), journal, [EPISODE])
        assert journal.reader.without_verdict() == without


async def test_a_slow_judge_does_not_make_a_step_late() -> None:
    spec = quiz(Judge("Correct: YES", seconds=100), limits=Limits(step=60))
    (end,) = await ends_of(spec, SqliteJournal(":memory:"), [EPISODE])
    assert end.state == "solved"


def test_a_judge_s_endpoint_that_is_away_suspends_the_run_and_loses_no_episode() -> None:
    with pytest.raises(EndpointUnavailable):
        run_episode(quiz(Away(), limits=Limits(model=RetryPolicy(repeats=0, seconds=0))), TOWN.name)


def test_a_state_that_takes_no_verdicts_is_the_world_s_fault() -> None:
    spec = replace(quiz(Judge("Correct: YES")), world=_Deaf())
    end = ended(run_episode(spec, TOWN.name))
    assert end.fault is not None
    assert end.why.startswith("WorldFault: to_grade: expected a state with graded(verdicts), got _Mute")


class _Mute:
    """A state of the quiz without `graded`."""

    def __init__(self, state: QuizState) -> None:
        self._state = state
        self.opening, self.observation = state.opening, state.observation
        self.step, self.admissible, self.expert = state.step, state.admissible, state.expert
        self.snapshot = state.snapshot

    def fork(self) -> "_Mute":
        return _Mute(self._state.fork())


class _Deaf(Quiz):
    def open(self, task: Task) -> _Mute:  # type: ignore[override]
        return _Mute(super().open(task))


_IDS = re.compile(r"\[(\d+)\]")


class Shopper:
    """Clicks on anything that it sees, and judges at random; it knows when it has tea."""

    name = "shopper"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise NotImplementedError("it is asked typed questions")

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        chance = Random(f"{prompt.node.address}/{sampling.seed}")
        shown = prompt.messages()[-1].content
        ids = [*_IDS.findall(shown), "0"]
        match asked.question:
            case "steps":
                return Completion(text="List\n1. take the tea\n2. order it")
            case "alignment":
                return Completion(text=f"The action is to shop.\n{'YES' if chance.random() < 0.6 else 'NO'}")
            case "verdict":
                has_tea = "tea" in shown.rpartition("Bought:")[2] and "goal" in shown.rpartition("Is the")[2]
                return Completion(text="YES" if has_tea or ("step" in shown[-60:] and chance.random() < 0.4) else "NO")
            case "retargeted":
                return Completion(text=f"New action is: click {ids[-2]}")
            case _:
                action = f"click {chance.choice(ids)}" if chance.random() < 0.7 else "order"
                return Completion(text=f"Thought: Hm.\nAction: {action}")


def shop_spec(seed: int, *, speculate: bool) -> RunSpec:
    prompts = find_prompts(DevilsAdvocate, "textcraft")
    for name in prompts_of(DevilsAdvocate.requests):
        prompts.text(name)
    method, roles = DevilsAdvocate(DevilsAdvocateConfig(speculate=speculate)), ("executor", "planner", "reflector")
    return spec_of(method, prompts.texts, Shopper(), world=as_world(Shop()), roles=roles, seed=seed)


def expect_same_end(spec: RunSpec, whole: list[Record], place: int) -> None:
    resumed = run_episode(spec, TEA.name, left_by_kill(whole, place))
    expected, got = content_of(whole), content_of(resumed)
    path = first_difference_in_decisions(expected, got)
    if path is not None:
        expected, got = before(expected, path), before(got, path)
    assert expected == got, place


@pytest.mark.parametrize("speculate", [False, True])
@pytest.mark.parametrize(("seed", "every"), [(0, 30), pytest.param(2, 1, marks=pytest.mark.slow)])
def test_it_goes_on_from_a_kill_anywhere_and_between_going_back_and_the_step_too(
    seed: int, every: int, *, speculate: bool
) -> None:
    spec = shop_spec(seed, speculate=speculate)
    whole = run_episode(spec, TEA.name)
    assert sum(getattr(record.event, "lasting", False) for record in whole)
    if not speculate:
        assert any(getattr(record.event, "phase", "") == "retargets" for record in whole)
        assert any(isinstance(record.event, SessionForked) for record in whole)
    for place in range(1, len(whole), every):
        expect_same_end(spec, whole, place)
