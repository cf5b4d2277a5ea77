"""Requests that start episodes, and the watch on a run's first answers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import pytest
from msgspec.structs import replace as with_fields

from quintet.errors import NoneAnswered, UsageError
from quintet.events import CallMade, Published, Record, SessionOpened, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.messages.parts import TaskPlan
from quintet.messages.paths import LEARNER, Path, attempt_of, child, episode_of, episode_path
from quintet.messages.prompts import ChatMessage, Prompt, user
from quintet.ports.model import Completion, Finish, Legibility, Sampling, SamplingOverride
from quintet.runtime.episode_requests import EpisodeRequests
from quintet.runtime.first_answers import FIRST_ANSWERS, FirstAnswers
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from tests.simulation.learners import LEARN, learning_spec, with_learner
from tests.simulation.virtual import run

CONFIGURED, EXPLORING = (0.25, 0.5), (1.0, 0.9)
"""Temperature and top_p."""
MEASURED = (*LEARN.held_out, *LEARN.test)


def spec_with_scope(scope: str = "everything") -> RunSpec:
    made = learning_spec(sampling_scope=scope)
    temperature, top_p = CONFIGURED
    (only,) = made.methods
    sampling = dict.fromkeys(only.sampling, Sampling(temperature=temperature, top_p=top_p))
    return replace(made, methods=(replace(only, sampling=sampling),))


Prompts: TypeAlias = Mapping[Path, Sequence[ChatMessage]]
"""By call."""


@cache
def learning_run(scope: str = "everything") -> tuple[Sequence[Record], Prompts]:
    """The records of a run that learnt, and the prompts of its calls."""

    async def scene() -> tuple[Sequence[Record], Prompts]:
        spec, journal = spec_with_scope(scope), SqliteJournal(":memory:")
        async with LocalRuntime(spec, journal, concurrency=4) as runtime:
            async for _ in runtime.run(with_learner(spec, runtime, journal)):
                pass
        records = journal.reader.records()
        calls = [record.event.path for record in records if isinstance(record.event, CallMade)]
        return records, {call: journal.reader.prompt(call) for call in calls}

    return run(scene())


def learning_records(scope: str = "everything") -> Sequence[Record]:
    """The records of a run that learnt."""
    return learning_run(scope)[0]


def sampling_by_task(records: Sequence[Record]) -> dict[str, set[tuple[float, float]]]:
    """Temperature and top_p of the calls of every task, and of the learner."""
    found: dict[str, set[tuple[float, float]]] = defaultdict(set)
    for event in (record.event for record in records):
        if isinstance(event, CallMade):
            episode = episode_of(event.path)
            task = LEARNER if episode == LEARNER else attempt_of(episode).task
            found[task].add((event.sampling.temperature, event.sampling.top_p))
    return found


@pytest.mark.parametrize("scope", ["everything", "episodes"])
def test_training_episodes_explore_and_all_others_are_sampled_as_configured(scope: str) -> None:
    found = sampling_by_task(learning_records(scope))
    assert found.keys() == {LEARNER, *LEARN.training, *MEASURED}
    assert [found[task] for task in LEARN.training] == [{EXPLORING}] * len(LEARN.training)
    assert [found[task] for task in MEASURED] == [{CONFIGURED}] * len(MEASURED)


@pytest.mark.parametrize(("scope", "expected"), [("everything", EXPLORING), ("episodes", CONFIGURED)])
def test_reflections_and_updates_explore_only_in_the_scope_everything(
    scope: str, expected: tuple[float, float]
) -> None:
    assert sampling_by_task(learning_records(scope))[LEARNER] == {expected}


def test_every_version_of_a_task_meets_the_same_world() -> None:
    met: dict[str, dict[int, str]] = defaultdict(dict)
    for event in (record.event for record in learning_records()):
        if isinstance(event, SessionOpened):
            task, version, _ = attempt_of(episode_of(event.path))
            met[task][version] = event.observation
    spec = spec_with_scope()
    for task in MEASURED:
        openings = [spec.world.open(spec.task(task, epoch)).opening.observation for epoch in range(3)]
        assert len(set(openings)) == 3, "worlds of other epochs look differently"
        assert met[task] == dict.fromkeys(range(3), openings[0])


def test_every_episode_is_shown_the_version_that_its_path_names_and_no_other() -> None:
    events = [record.event for record in learning_records()]
    plans = {event.version: event.content for event in events if isinstance(event, Published)}
    assert len(set(plans.values())) == len(plans) == 3
    for version, plan in plans.items():
        texts = [
            first.content
            for call, (first, *_) in learning_run()[1].items()
            if _version(call) == version and "execute.formalizer" not in first.content
        ]
        assert texts
        for said in texts:
            assert said.partition("A plan for tasks of this kind:\n\n")[2] == plan


def _version(path: Path) -> int | None:
    episode = episode_of(path)
    return None if episode == LEARNER else attempt_of(episode).epoch


def episode_requests(versions: dict[int, str]) -> EpisodeRequests:
    return EpisodeRequests(spec_with_scope(), learn=LEARN, version=versions.get)


def test_a_request_depends_on_task_and_version_only() -> None:
    solve_request, spec = episode_requests({0: "", 1: "1. Look.", 7: "1. Jump."}), spec_with_scope()
    for task in (*LEARN.training, *MEASURED):
        explores = SamplingOverride(temperature=1.0, top_p=0.9) if task in LEARN.training else None
        for version, shown in ((0, ()), (1, (TaskPlan(text="1. Look."),)), (7, (TaskPlan(text="1. Jump."),))):
            asked = solve_request(task, version)
            assert (asked.task, asked.parts, asked.sampling) == (spec.task(task, 0), shown, explores)


def test_a_version_that_was_not_published_is_refused() -> None:
    with pytest.raises(UsageError, match="purple bed: expected a version that was published, got 2"):
        episode_requests({0: "", 1: "1. Look."})("purple bed", 2)


def test_without_learning_every_epoch_has_its_world_and_the_given_plan() -> None:
    spec = replace(spec_with_scope(), learner=None)
    asked = [EpisodeRequests(spec, given=(TaskPlan(text="1. Look."),))("beehive", epoch) for epoch in range(2)]
    assert [solve.task for solve in asked] == [spec.task("beehive", epoch) for epoch in range(2)]
    assert asked[0].task.seed != asked[1].task.seed
    assert {(solve.parts, solve.sampling) for solve in asked} == {((TaskPlan(text="1. Look."),), None)}
    assert EpisodeRequests(spec)("beehive", 0).parts == ()


class Watch:
    """First answers, with recorded suspensions and warnings."""

    def __init__(self) -> None:
        self.suspended: list[NoneAnswered] = []
        self.warnings: list[str] = []
        self.first = FirstAnswers(self.suspended.append, self.warnings.append)

    def called(
        self,
        finish: Finish,
        times: int = 1,
        *,
        model: str = "m",
        task: str = "a",
        drawn: Completion | None = None,
        room: int = 512,
        legibility: Legibility = "read",
    ) -> None:
        call = CallMade(
            path=child(episode_path(task, 0, 0), 1),
            model=model,
            prompt=Prompt(user("Go.")).node.address,
            sampling=Sampling(max_tokens=room),
            completion=with_fields(drawn or Completion(text=""), finish=finish),
            legibility=legibility,
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


@pytest.mark.parametrize(
    ("drawn", "room", "advice"),
    [
        (Completion(text="Go on. " * 100), 1_024, "does not stop by itself: serve it with its chat template"),
        (Completion(text="Go on. " * 100), 512, "a larger model.max_tokens"),
        (Completion(text=""), 1_024, "a larger model.max_tokens"),
        (Completion(text="So", reasoning="First, ..."), 1_024, "a larger model.max_tokens"),
    ],
)
def test_only_a_model_that_reasons_or_has_little_room_is_given_more(drawn: Completion, room: int, advice: str) -> None:
    watch = Watch()
    watch.called("length", FIRST_ANSWERS, drawn=drawn, room=room)
    (why,) = watch.suspended
    assert advice in str(why)


def test_one_answer_ends_the_watch_of_its_model_only() -> None:
    watch = Watch()
    watch.called("stop")
    watch.called("refusal", 2 * FIRST_ANSWERS)
    assert watch.suspended == []
    watch.called("refusal", FIRST_ANSWERS, model="other")
    assert [str(why).partition(":")[0] for why in watch.suspended] == ["other"]


def test_a_model_of_whose_first_answers_none_can_be_read_is_stopped() -> None:
    watch = Watch()
    watch.called("stop", FIRST_ANSWERS, legibility="unread")
    (why,) = watch.suspended
    assert f"({FIRST_ANSWERS} not read); see what it writes" in str(why)


@pytest.mark.parametrize(("legibility", "stops"), [("read", 0), ("unread", 1)])
def test_a_model_is_told_once_that_it_was_not_read_however_many_attempts_begin_at_once(
    legibility: Legibility, stops: int
) -> None:
    watch = Watch()
    for number in range(2 * FIRST_ANSWERS):
        watch.called("stop", task=f"task {number}", legibility="unread")
    assert watch.suspended == []
    watch.called("stop", task="task 3", legibility=legibility)
    watch.called("stop", FIRST_ANSWERS, task="task 5", legibility="unread")
    assert len(watch.suspended) == stops


def test_one_answer_in_so_many_that_is_read_is_enough() -> None:
    watch = Watch()
    watch.called("stop", FIRST_ANSWERS - 1, legibility="unread")
    watch.called("stop")
    watch.called("stop", 2 * FIRST_ANSWERS, legibility="unread")
    assert watch.suspended == []


def test_a_text_that_nothing_could_be_wrong_with_shows_that_a_model_writes_and_no_more() -> None:
    watch = Watch()
    watch.called("empty", FIRST_ANSWERS - 1)
    watch.called("stop", legibility="free")
    watch.called("empty", 2 * FIRST_ANSWERS)
    assert watch.suspended == []
    watch.called("stop", FIRST_ANSWERS, legibility="unread")
    assert len(watch.suspended) == 1


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
