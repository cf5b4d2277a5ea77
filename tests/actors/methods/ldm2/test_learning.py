"""How LDM2 learns: what a memory is formed from, what its rounds add, and in which order."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.messages.learning import Learn, RunEpisode
from quintet.messages.memory import Form, Remember
from quintet.messages.store import ReadTrajectories, Seal, Sealed
from quintet.methods.ldm2.config import Ldm2Learning
from quintet.methods.ldm2.learning import EXPERT, EXPLORE, Ldm2Learner, divide
from tests.actors.methods.ldm2.learner_roles import LearnerRoles, found, process, trajectory

TRAINING = tuple(f"train-{number}" for number in range(8))
LEARN = Learn(training=TRAINING, held_out=("held-1", "held-2"), test=("test-1", "test-2"))
SHORT: dict[str, Any] = {"batch": 2, "goals": 2}


def test_a_memory_is_formed_from_the_experts_episodes_batch_by_batch_in_the_order_of_tasks() -> None:
    roles = LearnerRoles()
    assert roles.learn(LEARN, **SHORT) == 2
    assert roles.tasks(0, for_training=True) == list(TRAINING[:6])
    assert roles.requests(Form) == [
        Form(
            version=1,
            batch=number + 1,
            place=2 * number,
            trajectories=tuple(trajectory(task, 0) for task in TRAINING[2 * number : 2 * number + 2]),
        )
        for number in range(3)
    ]


def test_a_round_explores_its_goals_with_the_memory_of_its_beginning_and_remembers_in_the_order_of_tasks() -> None:
    roles = LearnerRoles()
    roles.learn(LEARN, batch=2, goals=2, rounds=2)
    assert [roles.tasks(version, for_training=True) for version in (1, 2)] == [list(TRAINING[4:6]), list(TRAINING[6:])]
    assert roles.requests(Remember) == [
        Remember(
            version=version,
            batch=batch,
            place=2 * number + batch - 1,
            trajectory=trajectory(task, version - 1),
            first=2,
        )
        for version, tasks in ((2, TRAINING[4:6]), (3, TRAINING[6:]))
        for number, task in enumerate(tasks)
        for batch in (1, 2)
    ]


def test_a_version_is_published_as_it_was_sealed() -> None:
    roles = LearnerRoles()
    roles.learn(LEARN, **SHORT)
    assert [sealed.version for sealed in roles.requests(Seal)] == [0, 1, 2]
    sealed = [msgspec.json.decode(event.content, type=Sealed) for event in roles.published]
    assert [(each.digest, each.batches) for each in sealed] == [("0", 0), ("1", 3), ("2", 3)]
    assert "\n" not in roles.published[1].content


def test_a_version_is_sealed_when_everything_of_it_is_stored() -> None:
    roles = LearnerRoles()
    roles.learn(LEARN, **SHORT)
    kinds = [type(request) for request in roles.asked if isinstance(request, Seal | Form | Remember)]
    assert kinds == [Seal, *[Form] * 3, Seal, *[Remember] * 6, Seal]


def test_given_trajectories_form_a_memory_and_all_tasks_are_left_for_rounds() -> None:
    roles = LearnerRoles()
    learn = Learn(training=TRAINING, held_out=(), test=(), trajectories=5)
    assert roles.learn(learn, source="given", batch=2, goals=8) == 2
    assert [(read.first, read.count) for read in roles.requests(ReadTrajectories)] == [(0, 2), (2, 2), (4, 1)]
    formed = [each.source for form in roles.requests(Form) for each in form.trajectories]
    assert formed == [f"given-{number}/0/0" for number in range(5)]
    assert roles.tasks(0, for_training=True) == []
    assert roles.tasks(1, for_training=True) == list(TRAINING)


def test_what_is_formed_on_a_memory_that_is_there_comes_after_its_batch_memories() -> None:
    roles = LearnerRoles(batches=2, finds=lambda request, batches: found(request, batches if request.version else 0))
    roles.learn(LEARN, batch=3, goals=2)
    assert [(form.batch, form.place) for form in roles.requests(Form)] == [(3, 0), (4, 3)]
    assert {request.batch for request in roles.requests(Remember)} == {1, 2, 3, 4}


def test_without_formation_rounds_go_on_with_the_memory_that_is_there() -> None:
    roles = LearnerRoles(batches=2)
    assert roles.learn(LEARN, source="none", goals=4, rounds=2) == 2
    assert roles.requests(Form) == []
    assert len(roles.requests(Remember)) == 16
    assert roles.tasks(0, for_training=True) == list(TRAINING[:4])


def test_what_a_round_finds_with_an_empty_memory_forms_its_first_batch_memories() -> None:
    roles = LearnerRoles()
    roles.learn(LEARN, source="none", batch=2, goals=4, rounds=2)
    assert [(form.version, form.batch, len(form.trajectories)) for form in roles.requests(Form)] == [
        (1, 1, 2),
        (1, 2, 2),
    ]
    assert {request.version for request in roles.requests(Remember)} == {2}


def test_explorations_of_a_round_run_at_once_and_while_the_version_before_is_measured() -> None:
    roles = LearnerRoles(seconds=lambda request: 1.0 if request.for_training else 100.0)
    roles.learn(LEARN, **SHORT)
    explored = {(began, ended) for request, began, ended in roles.ran if request.for_training and request.version == 1}
    assert len(explored) == 1
    measured = [(began, ended) for request, began, ended in roles.ran if not request.for_training][:2]
    assert all(began <= next(iter(explored))[0] < next(iter(explored))[1] < ended for began, ended in measured)


def test_few_batch_memories_are_formed_at_once_and_a_round_remembers_everything_at_once() -> None:
    roles = LearnerRoles()
    learn = Learn(training=tuple(f"train-{number}" for number in range(30)), held_out=(), test=())
    roles.learn(learn, batch=2, goals=4)
    assert len(roles.requests(Form)) == 13
    assert roles.most == {"Form": 4, "Remember": 4 * 13}


def test_an_episode_that_faulted_is_left_out() -> None:
    roles = LearnerRoles(
        finds=lambda request, batches: None if request.task in ("train-1", "train-6") else found(request, batches)
    )
    roles.learn(LEARN, **SHORT)
    formed = [each.source for form in roles.requests(Form) for each in form.trajectories]
    assert formed == [f"train-{number}/0/0" for number in (0, 2, 3, 4, 5)]
    assert {(request.trajectory.source, request.place) for request in roles.requests(Remember)} == {
        ("train-7/1/0", 3 + number) for number in range(3)
    }


def test_a_process_without_turns_is_left_out() -> None:
    empty = msgspec.structs.replace(process("any", 1, batch=1), turns=())
    roles = LearnerRoles(finds=lambda request, batches: [empty] if request.version else found(request, batches))
    roles.learn(LEARN, **SHORT)
    assert roles.requests(Remember) == []


def test_a_round_that_finds_nothing_publishes_a_version_all_the_same() -> None:
    roles = LearnerRoles(finds=lambda request, batches: () if request.version else found(request, batches))
    assert roles.learn(LEARN, **SHORT) == 2
    assert len(roles.published) == 3


def test_what_a_model_refuses_to_form_or_to_index_is_left_out_and_learning_goes_on() -> None:
    roles = LearnerRoles(refuses=lambda request: request.place == 0)
    assert roles.learn(LEARN, **SHORT) == 2
    assert len(roles.published) == 3


def test_a_world_without_an_expert_is_an_error_that_says_what_to_give_instead() -> None:
    roles = LearnerRoles(finds=lambda _request, _batches: ())
    with pytest.raises(UsageError, match=r"nobody knows a way.*--trajectories FILE or --from-run RUN"):
        roles.learn(LEARN, **SHORT)


@pytest.mark.parametrize(
    ("options", "given", "error"),
    [
        ({"batch": 7, "goals": 2}, 0, r"^learning.batch: expected at most 6, the trajectories .* got 7$"),
        ({"batch": 2, "goals": 8}, 0, r"^learning.batch: expected at most 0, the trajectories .* got 2$"),
        (
            {"batch": 2, "goals": 5, "rounds": 2},
            0,
            r"^learning.goals: expected at most 8, .* in 2 rounds, got 5 in each$",
        ),
        ({"batch": 4, "goals": 2, "source": "given"}, 3, r"^learning.batch: expected at most 3, .* given, got 4$"),
        (
            {"batch": 4, "goals": 2, "source": "given"},
            0,
            r"^learning.source: expected --trajectories FILE or --from-run RUN with 'given', got neither$",
        ),
        (
            {"batch": 2, "goals": 2},
            3,
            r"^learning.source: expected 'given', since 3 trajectories were given, got 'expert'$",
        ),
        ({"goals": 9, "source": "none"}, 0, r"^learning.goals: expected at most 8"),
    ],
)
def test_options_that_need_more_than_there_is_are_refused(options: dict[str, Any], given: int, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Ldm2Learner(Ldm2Learning.model_validate(options)).versions(8, given)


@given(training=st.integers(4, 60), rounds=st.integers(0, 3))
def test_without_further_options_there_are_at_most_four_batch_memories_and_a_quarter_of_the_tasks_is_explored(
    training: int, rounds: int
) -> None:
    roles = LearnerRoles()
    tasks = tuple(f"train-{number}" for number in range(training))
    assert roles.learn(Learn(training=tasks, held_out=(), test=()), rounds=rounds) == 1 + rounds
    assert 1 <= len(roles.requests(Form)) <= 4
    explored = sum(len(roles.tasks(version, for_training=True)) for version in range(1, 1 + rounds))
    assert explored <= max(rounds, training // 4)
    assert len(roles.tasks(0, for_training=True)) == training - explored


@given(total=st.integers(1, 300), batch=st.integers(1, 60))
def test_shares_are_everything_in_order_and_none_is_less_than_half_a_batch(total: int, batch: int) -> None:
    parts = divide(total, batch)
    assert [number for part in parts for number in part] == list(range(total))
    assert len(parts) == 1 or all(batch <= 2 * len(part) and 2 * len(part) < 3 * batch for part in parts)


def test_the_expert_is_followed_once_and_all_later_training_episodes_explore() -> None:
    assert [Ldm2Learner(Ldm2Learning()).purpose(version) for version in range(3)] == [EXPERT, EXPLORE, EXPLORE]
    for source in ("given", "none"):
        assert Ldm2Learner(Ldm2Learning.model_validate({"source": source})).purpose(0) == EXPLORE


@given(
    source=st.sampled_from(["expert", "none", "given"]),
    rounds=st.integers(0, 2),
    goals=st.integers(1, 3),
    eval_every=st.integers(0, 3),
    select=st.sampled_from(["last", "best"]),
)
def test_the_number_of_episodes_is_known_before_they_run(**options: Any) -> None:
    options["batch"] = 2
    roles = LearnerRoles(succeeds=lambda request: request.version == 1)
    learn = msgspec.structs.replace(LEARN, trajectories=4 if options["source"] == "given" else 0)
    roles.learn(learn, **options)
    announced = Ldm2Learner(Ldm2Learning.model_validate(options)).episodes(8, 2, 2)
    ran = len({(request.task, request.version) for request in roles.requests(RunEpisode)})
    assert announced - (2 if options["select"] == "best" else 0) <= ran <= announced
