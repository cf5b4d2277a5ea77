"""First answers: when a run stops for lack of them, and what ends the watch."""

import pytest

from quintet.errors import EndpointUnavailable
from quintet.events import CallMade, Record, StepTaken
from quintet.messages.paths import child, episode_path
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, Finish, Sampling
from quintet.runtime.first_answers import FIRST_ANSWERS, FirstAnswers


class Watch:
    """First answers, with recorded suspensions and warnings."""

    def __init__(self) -> None:
        self.suspended: list[EndpointUnavailable] = []
        self.warnings: list[str] = []
        self.first = FirstAnswers(self.suspended.append, self.warnings.append)

    def called(self, finish: Finish, times: int = 1, *, model: str = "m", task: str = "a") -> None:
        call = CallMade(
            path=child(episode_path(task, 0, 0), 1),
            model=model,
            prompt=Prompt(user("Go.")).node.address,
            sampling=Sampling(),
            completion=Completion(text="", finish=finish),
        )
        for _ in range(times):
            self.first.committed(Record(event=call, incarnation=1))

    def stepped(self, *, rejected: bool, task: str = "a") -> None:
        path = child(episode_path(task, 0, 0), 2)
        step = StepTaken(path=path, session="s", action="go", observation="", reward=0.0, done=False, rejected=rejected)
        self.first.committed(Record(event=step, incarnation=1))


def test_a_run_is_stopped_after_so_many_completions_without_an_answer() -> None:
    watch = Watch()
    watch.called("refusal", FIRST_ANSWERS - 1)
    assert watch.suspended == []
    watch.called("empty", 5)
    (why,) = watch.suspended
    assert f"none in its first {FIRST_ANSWERS} completions ({FIRST_ANSWERS - 1} refused, 1 empty)" in str(why)


def test_two_cut_off_answers_do_not_stop_a_small_run_of_a_model_that_answers_then() -> None:
    watch = Watch()
    watch.called("length", 2)
    watch.called("stop")
    watch.called("length", 2 * FIRST_ANSWERS)
    assert watch.suspended == []


def test_one_answer_ends_the_watch_of_its_model_only() -> None:
    watch = Watch()
    watch.called("stop")
    watch.called("refusal", 2 * FIRST_ANSWERS)
    assert watch.suspended == []
    watch.called("refusal", FIRST_ANSWERS, model="other")
    assert [str(why).partition(":")[0] for why in watch.suspended] == ["other"]


@pytest.mark.parametrize(("rejected", "task", "stops"), [(False, "a", 0), (True, "a", 1), (False, "b", 1)])
def test_a_cut_off_completion_with_an_accepted_action_is_an_answer(rejected: bool, task: str, stops: int) -> None:
    watch = Watch()
    watch.called("length")
    watch.stepped(rejected=rejected, task=task)
    watch.called("length", 2 * FIRST_ANSWERS)
    assert len(watch.suspended) == stops


def test_the_first_of_every_kind_is_warned_of_once() -> None:
    watch = Watch()
    watch.called("stop")
    watch.called("length", 3)
    watch.called("context_full", 3)
    assert [said.rpartition("answer ")[2] for said in watch.warnings] == [
        "(cut off at max_tokens 512); further ones are counted in the report",
        "(context full); further ones are counted in the report",
    ]
