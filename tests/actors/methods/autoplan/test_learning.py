"""How AutoPlan learns, equation by equation, and what it makes of answers that are none."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.learning import Learn, RunEpisode
from quintet.messages.message import Unanswered
from quintet.messages.planning import Lesson, PlanRevised, RevisePlan
from quintet.messages.reflection import Reflect, Reflected
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.ports.model import SamplingOverride
from tests.actors.methods.training_world import FakeRoles, lived_through, reflected

TRAINING = tuple(f"train-{number}" for number in range(8))
LEARN = Learn(training=TRAINING, held_out=("held-1", "held-2"), test=("test-1", "test-2"))
SAMPLING = SamplingOverride(temperature=1.0, top_p=0.9)


def lesson(task: str, *, succeeded: bool = False) -> Lesson:
    return Lesson(
        opening=f"Please do {task}.",
        succeeded=succeeded,
        summary=f"{task} in short",
        flaws=f"flaws of {task}",
        revision=f"better {task}",
    )


def test_a_plan_is_made_from_the_plan_before_it_and_the_lessons_of_a_batch() -> None:
    roles = FakeRoles(succeeds=lambda request: request.task in TRAINING[::2])
    assert roles.learn(LEARN) == 2
    assert roles.plans == ["", "+", "++"]
    batches = [roles.tasks(version, for_training=True) for version in (0, 1)]
    assert roles.requests(RevisePlan) == [
        RevisePlan(
            plan=plan,
            lessons=tuple(lesson(task, succeeded=task in TRAINING[::2]) for task in batch),
            sampling=SAMPLING,
        )
        for plan, batch in zip(["", "+"], batches, strict=True)
    ]


def test_every_episode_of_a_batch_is_reflected_on_with_the_plan_that_it_had() -> None:
    roles = FakeRoles(succeeds=lambda request: request.task == "train-3")
    roles.learn(LEARN, batch=2)
    expected = [
        Reflect(
            experience=lived_through(RunEpisode(task=task, version=version)),
            plan="+" * version,
            succeeded=task == "train-3",
            sampling=SAMPLING,
        )
        for version in range(4)
        for task in roles.tasks(version, for_training=True)
    ]
    assert roles.requests(Reflect) == expected


def test_a_batch_runs_at_once_and_before_all_that_waits() -> None:
    roles = FakeRoles()
    roles.learn(LEARN)
    first = [ran for ran in roles.ran if ran.request.for_training and ran.request.version == 0]
    assert {(ran.began, ran.ended) for ran in first} == {(0.0, 1.0)}


def test_a_plan_is_measured_while_the_next_batch_is_collected() -> None:
    roles = FakeRoles(seconds=lambda request: 1.0 if request.for_training else 100.0)
    roles.learn(LEARN)
    for version in (0, 1):
        collected = [ran for ran in roles.ran if ran.request.version == version and ran.request.for_training]
        measured = [ran for ran in roles.ran if ran.request.version == version and not ran.request.for_training]
        assert len(measured) == 2
        assert all(test.began <= ran.began < ran.ended < test.ended for ran in collected for test in measured)
    assert max(ran.ended for ran in roles.ran) == 102.0


def batches(seed: int, **options: Any) -> list[list[str]]:
    roles = FakeRoles()
    last = roles.learn(LEARN, seed=seed, **options)
    return [roles.tasks(version, for_training=True) for version in range(last)]


def test_batches_are_random_by_seed() -> None:
    assert batches(1) == batches(1)
    assert batches(1) != batches(2)
    assert batches(1)[0] != list(TRAINING[:4])


def test_a_pass_over_the_training_tasks_meets_each_once_and_the_next_in_another_order() -> None:
    first, second, third, fourth = batches(0, iterations=4)
    assert sorted(first + second) == sorted(third + fourth) == sorted(TRAINING)
    assert first + second != third + fourth


@given(seed=st.integers(0, 99), batch=st.integers(1, 8), iterations=st.integers(1, 6))
def test_no_batch_meets_a_task_twice(seed: int, batch: int, iterations: int) -> None:
    drawn = batches(seed, batch=batch, iterations=iterations)
    assert len(drawn) == iterations
    assert all(len(set(tasks)) == batch for tasks in drawn)


@pytest.mark.parametrize(("batch", "plans"), [(1, 8), (2, 4), (3, 2), (4, 2), (8, 1)])
def test_as_many_plans_are_made_as_there_are_batches(batch: int, plans: int) -> None:
    assert AutoPlanLearner(AutoPlanLearning(batch=batch)).versions(len(TRAINING)) == plans
    assert FakeRoles().learn(LEARN, batch=batch) == plans


@pytest.mark.parametrize("tasks", [0, 3])
def test_a_batch_larger_than_the_training_tasks_is_refused(tasks: int) -> None:
    with pytest.raises(ValueError, match=f"^learning.batch: expected at most {tasks}, the tasks to learn from, got 4$"):
        AutoPlanLearner(AutoPlanLearning(iterations=2)).versions(tasks)


@pytest.mark.parametrize(("batch", "sizes"), [(1, [1] * 8), (3, [3, 3, 2]), (8, [8])])
def test_along_a_stream_batches_are_in_its_order_and_the_last_may_be_smaller(batch: int, sizes: list[int]) -> None:
    roles = FakeRoles()
    learn = Learn(training=TRAINING, held_out=(), test=())
    assert roles.learn(learn, stream=True, batch=batch) == len(sizes)
    found = [roles.tasks(version, for_training=True) for version in range(len(sizes))]
    assert [len(tasks) for tasks in found] == sizes
    assert [task for tasks in found for task in tasks] == list(TRAINING)


def test_along_a_stream_each_task_is_reflected_on_once_and_no_number_of_iterations_is_taken() -> None:
    learner = AutoPlanLearner(AutoPlanLearning(batch=3), stream=True)
    assert (learner.versions(8), learner.most_calls(8)) == (3, 3 + 8 * 3)
    with pytest.raises(ValueError, match=r"learning.iterations: expected none along a stream, whose tasks are played"):
        AutoPlanLearner(AutoPlanLearning(batch=3, iterations=2), stream=True).versions(8)


@pytest.mark.parametrize(
    ("every", "measured"), [(1, [0, 1, 2, 3, 4]), (2, [0, 2, 4]), (3, [0, 3, 4]), (9, [0, 4]), (0, [4])]
)
def test_the_test_tasks_measure_every_so_many_plans_and_the_last(every: int, measured: list[int]) -> None:
    roles = FakeRoles()
    assert roles.learn(LEARN, batch=2, eval_every=every) == 4
    tested = {version: roles.tasks(version, for_training=False) for version in range(5)}
    assert tested == {version: list(LEARN.test) if version in measured else [] for version in range(5)}


@pytest.mark.parametrize(
    ("shares", "best"),
    [((0, 1, 2, 1, 0), 2), ((0, 1, 0, 1, 0), 3), ((0, 0, 0, 0, 0), 4), ((2, 1, 0, 0, 0), 0)],
)
def test_the_best_plan_is_the_latest_with_which_most_held_out_tasks_succeed(shares: tuple[int, ...], best: int) -> None:
    roles = FakeRoles(succeeds=lambda request: request.task in LEARN.held_out[: shares[request.version]])
    assert roles.learn(LEARN, batch=2, select="best", eval_every=0) == best
    for version in range(5):
        expected = [*LEARN.held_out, *(LEARN.test if version == best else ())]
        assert roles.tasks(version, for_training=False) == expected


def test_a_held_out_task_that_faults_does_not_count_against_a_plan() -> None:
    def succeeds(request: RunEpisode) -> bool | None:
        return {"held-1": request.version < 2, "held-2": None if request.version == 1 else False}.get(request.task)

    assert FakeRoles(succeeds=succeeds).learn(LEARN, select="best") == 1


def test_an_episode_that_faulted_is_left_out_of_its_batch() -> None:
    roles = FakeRoles(succeeds=lambda request: None if request.task in TRAINING[:3] else False)
    roles.learn(LEARN, batch=8)
    (revising,) = roles.requests(RevisePlan)
    batch = [task for task in roles.tasks(0, for_training=True) if task not in TRAINING[:3]]
    assert revising.lessons == tuple(map(lesson, batch))
    assert len(roles.requests(Reflect)) == 5


def test_a_job_that_could_not_be_reflected_on_is_left_out_of_its_batch() -> None:
    def reflects(request: Reflect) -> Reflected | Unanswered:
        return Unanswered(reason="") if request.experience.task == "train-0" else reflected(request)

    roles = FakeRoles(reflects=reflects)
    roles.learn(LEARN, batch=8)
    (revising,) = roles.requests(RevisePlan)
    assert len(revising.lessons) == 7
    assert "Please do train-0." not in [lesson.opening for lesson in revising.lessons]


def test_of_plans_with_which_every_held_out_task_faults_none_is_the_best() -> None:
    roles = FakeRoles(succeeds=lambda request: None if request.task == "held out" and request.version else False)
    learn = Learn(training=("one", "two"), held_out=("held out",), test=())
    assert roles.learn(learn, batch=1, select="best") == 0


def none_left() -> FakeRoles:
    return FakeRoles(succeeds=lambda request: None if request.version == 0 and request.for_training else False)


def none_reflected_on() -> FakeRoles:
    def reflects(request: Reflect) -> Reflected | Unanswered:
        return reflected(request) if request.plan else Unanswered(reason="")

    return FakeRoles(reflects=reflects)


@pytest.mark.parametrize("roles", [none_left, none_reflected_on])
def test_a_batch_without_lessons_leaves_the_plan_and_no_update_is_asked_for(roles: Callable[[], FakeRoles]) -> None:
    fakes = roles()
    fakes.learn(Learn(training=TRAINING, held_out=(), test=()), iterations=1)
    assert fakes.plans == ["", ""]
    assert fakes.requests(RevisePlan) == []


def test_an_update_that_failed_leaves_the_plan_and_learning_goes_on() -> None:
    def revises(request: RevisePlan) -> PlanRevised | Unanswered:
        return Unanswered(reason="") if len(request.plan) == 1 else PlanRevised(text=f"{request.plan}+")

    roles = FakeRoles(revises=revises)
    assert roles.learn(LEARN, iterations=3) == 3
    assert roles.plans == ["", "+", "+", "+"]


def test_a_plan_that_comes_back_unchanged_is_a_version_like_any_other() -> None:
    roles = FakeRoles(revises=lambda request: PlanRevised(text=request.plan or "1. Look."))
    assert roles.learn(LEARN, batch=2) == 4
    assert roles.plans == ["", *["1. Look."] * 4]


def test_a_lesson_has_the_summary_alone_if_nothing_else_is_reflected() -> None:
    roles = FakeRoles()
    roles.learn(LEARN, batch=8, reflection="summary", one_conversation=True)
    assert {(request.depth, request.one_conversation) for request in roles.requests(Reflect)} == {("summary", True)}
    (revising,) = roles.requests(RevisePlan)
    assert all(announced.summary and not announced.flaws and not announced.revision for announced in revising.lessons)


def test_without_reflection_an_update_has_jobs_and_results_alone() -> None:
    roles = FakeRoles(succeeds=lambda request: request.task == "train-1")
    roles.learn(LEARN, batch=8, reflection="none")
    assert roles.requests(Reflect) == []
    (revising,) = roles.requests(RevisePlan)
    assert sorted(lesson.opening for lesson in revising.lessons if lesson.succeeded) == ["Please do train-1."]
    assert all((lesson.summary, lesson.flaws, lesson.revision) == ("", "", "") for lesson in revising.lessons)


def test_reflections_and_updates_vary_only_where_they_are_to() -> None:
    roles = FakeRoles()
    roles.learn(LEARN, sampling_scope="episodes")
    assert {request.sampling for request in roles.requests(Reflect)} == {None}
    assert {request.sampling for request in roles.requests(RevisePlan)} == {None}
    assert AutoPlanLearner(AutoPlanLearning(sampling_scope="episodes", top_p=0.5)).exploration() == SamplingOverride(
        temperature=1.0, top_p=0.5
    )


@given(
    batch=st.integers(1, 8),
    iterations=st.none() | st.integers(1, 5),
    eval_every=st.integers(0, 4),
    select=st.sampled_from(["last", "best"]),
    best=st.integers(0, 5),
)
def test_the_number_of_episodes_is_known_before_they_run(
    batch: int, iterations: int | None, eval_every: int, select: str, best: int
) -> None:
    options: dict[str, Any] = {
        "batch": batch,
        "iterations": iterations,
        "eval_every": eval_every,
        "select": select,
    }
    roles = FakeRoles(succeeds=lambda request: request.version == best)
    roles.learn(LEARN, **options)
    announced = AutoPlanLearner(AutoPlanLearning.model_validate(options)).episodes(8, 2, 2)
    ran = len({(request.task, request.version) for request in roles.requests(RunEpisode)})
    assert ran == len(roles.ran)
    assert announced - (2 if select == "best" else 0) <= ran <= announced
