"""What a run is given or has learnt: plans, iterations, and trajectories that solve their tasks."""

import json
from pathlib import Path

import msgspec
import pytest

from quintet.config.sections import ModelSettings
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.events import AnyEvent, EpisodeReported, Exchanged, Published, Record, Refused
from quintet.launch.writable_run import WritableRun
from quintet.learned.given_trajectories import count_words, gather_trajectories, read_earlier_run
from quintet.learned.iterations import JobReflection, LearntIteration, PlanIteration, read_iterations
from quintet.learned.plans import read_plan_file
from quintet.messages.memory import Trajectory
from quintet.messages.message import Message, Unanswered
from quintet.messages.parts import LONGEST_PLAN
from quintet.messages.paths import LEARNER, child, episode_path
from quintet.messages.reflection import Reflected
from quintet.runtime.spec import seeded_task
from tests.command import printed
from tests.deploy import learning_runs, samples
from tests.deploy.samples import Went

READER = ModelSettings()


def test_a_plan_is_its_text_without_what_editors_leave(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_bytes("\ufeff\r\n1. Look around.\r\n2. Möbel öffnen.\r\n\r\n".encode())
    assert read_plan_file(file, "textcraft", [READER]) == "1. Look around.\n2. Möbel öffnen."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected a plan, got an empty file"),
        (b" \n\t\n", "expected a plan, got an empty file"),
        (b"\xff\xfe1\x00", "expected UTF-8 text, got other bytes"),
        (b"a\0b", "expected text, got null characters"),
        (b"a" * (LONGEST_PLAN + 1), "expected at most 65,536 bytes, got more"),
        ("none", "expected a text file, got No such file or directory"),
        (".", "expected a text file, got Is a directory"),
        ("/dev/zero", "expected at most 65,536 bytes, got more"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(content: bytes | str, said: str, tmp_path: Path) -> None:
    file = tmp_path / ("plan.md" if isinstance(content, bytes) else content)
    if isinstance(content, bytes):
        file.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read_plan_file(file, "textcraft", [READER])
    assert str(caught.value) == f"method.plan: {said} ({file})"


def test_a_plan_that_cannot_fit_the_models_context_is_refused_and_one_that_might_is_not(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    reader = ModelSettings(context=612, max_tokens=512)
    file.write_text("a" * 800)
    assert len(read_plan_file(file, "textcraft", [reader])) == 800
    file.write_text("a" * 801)
    with pytest.raises(
        UsageError,
        match=r"expected at most 800 bytes, since the executor's context of 612 tokens holds .*, got 801 \(/",
    ):
        read_plan_file(file, "textcraft", [reader])
    with pytest.raises(UsageError, match="expected at most 0 bytes"):
        read_plan_file(file, "textcraft", [ModelSettings(context=100, max_tokens=512)])


def test_a_plan_in_the_folder_of_a_run_is_of_that_runs_world(tmp_path: Path) -> None:
    WritableRun.create(tmp_path / "run", samples.record()).close()
    (tmp_path / "run" / "plans").mkdir()
    for file in (tmp_path / "run" / "plan.md", tmp_path / "run" / "plans" / "1.md"):
        file.write_text("1. Look around.", encoding="utf-8")
        assert read_plan_file(file, "textcraft", [READER]) == "1. Look around."
        with pytest.raises(UsageError, match=r"expected a plan for alfworld, got one of a run in textcraft \(.*\.md\)"):
            read_plan_file(file, "alfworld", [READER])


def _read(*events: AnyEvent) -> dict[int, LearntIteration]:
    # In another order than that of the conversation.
    records = (Record(event=event, incarnation=1) for event in reversed(events))
    return dict(read_iterations("plan", records, Path("run")))


def _publish(place: int, version: int) -> Published:
    return Published(path=child(LEARNER, place), version=version, content="")


def _report(place: int, number: int, task: str, version: int, attempt: int = 0) -> EpisodeReported:
    return EpisodeReported(path=child(child(LEARNER, place), number), attempt=episode_path(task, version, attempt))


def _answer(place: int, request: str, reply: Message, subject: str = "") -> Exchanged:
    said = msgspec.json.encode(reply).decode()
    return Exchanged(path=child(LEARNER, place), request=request, subject=subject, reply=said)


def _refusal(place: int) -> Refused:
    return Refused(path=child(LEARNER, place), reason="too long")


def test_an_iteration_is_what_happened_between_two_versions() -> None:
    found = _read(
        _report(1, 1, "cake", 0, 7),
        _publish(2, 0),
        _report(3, 1, "stick", 0),
        _report(3, 2, "torch", 0, 1),
        _answer(4, "reflect", Reflected(summary="It dug."), "stick"),
        _answer(5, "reflect", Unanswered(reason="mute"), "torch"),
        _answer(6, "revise_plan", Unanswered(reason="no text")),
        _publish(10, 1),
        _report(11, 1, "stick", 1, 2),
        _refusal(12),
    )
    reflections = JobReflection("stick", "It dug."), JobReflection("torch", failed="mute")
    attempts = {("stick", 0): 0, ("torch", 0): 1}
    assert found == {
        0: PlanIteration(attempts={("cake", 0): 7}),
        1: PlanIteration(attempts=attempts, reflections=reflections, revised=True, failed="no text"),
        2: PlanIteration(attempts={("stick", 1): 2}, refused=("too long",)),
    }


def test_a_refused_plan_is_why_there_is_no_new_one() -> None:
    assert _read(_publish(1, 0), _refusal(2), _publish(3, 1))[1].failed == "the model refused: too long"


def test_a_learner_that_has_not_begun_has_one_empty_iteration() -> None:
    assert _read() == {0: PlanIteration()}


def test_a_version_that_cannot_be_read_leaves_the_others_with_their_numbers() -> None:
    found = _read(_publish(1, 0), _report(2, 1, "a", 0), _report(3, 1, "b", 0), _publish(4, 2), _report(5, 1, "c", 2))
    assert {number: [task for task, _ in each.attempts] for number, each in found.items()} == {
        0: [],
        1: ["a", "b"],
        2: [],
        3: ["c"],
    }


def line(goal: str, action: str, **fields: str) -> str:
    return json.dumps({"goal": goal, "reward": 1, "steps": [{"observation": "", "action": action}], **fields}) + "\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    went = {"beehive": Went(), "cake": Went("unsolved", 0.0)}
    return samples.write(tmp_path / "run", samples.record("react", ("beehive", "cake")), went)


def test_files_come_before_runs_each_in_the_order_given(tmp_path: Path, run: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(line("a", "1", source="x") + line("b", "1") + line("a", "1", source="y") + line("a", "2"))
    two.write_text(line("b", "1") + line("c", "1"))
    given = gather_trajectories([two, one], [run, run], world="textcraft")
    found = [(each.goal, each.steps[0].action) for each in given.trajectories]
    assert found == [("b", "1"), ("c", "1"), ("a", "1"), ("a", "2"), ("craft beehive", "get 1 log")]
    assert given.left_out == {"repeated": 3, "unsuccessful": 2}
    assert count_words(5, given.left_out) == "5 trajectories; left out: 3 repeated, 2 unsuccessful"


def test_a_task_that_the_run_is_measured_by_is_left_out_wherever_it_comes_from(tmp_path: Path, run: Path) -> None:
    file = tmp_path / "file"
    file.write_text(line("a", "1", task="beehive") + line("a", "1", task="bread"))
    given = gather_trajectories([file], [run], world="textcraft", measured={"beehive"})
    assert [each.goal for each in given.trajectories] == ["a"]
    assert given.left_out == {"measured": 2, "unsuccessful": 1}
    said = r"expected at least one, got 0 trajectories; left out: 1 measured, 1 unsuccessful \(.*run\)"
    with pytest.raises(UsageError, match=said):
        gather_trajectories([], [run], world="textcraft", measured=["beehive"])


LOST = Went("unsolved", 0.0, claimed=None)


def check(found: Trajectory, *, seed: int, epoch: int) -> None:
    """Follow a trajectory: each step's observation is what was seen before its action."""
    state = TextCraft().open(seeded_task(seed, found.task, epoch))
    assert found.goal == f"craft {found.task}"
    assert found.steps[0].observation == state.opening.setting
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        outcome = state.step(before.action)
        assert (outcome.observation, outcome.rejected) == (after.observation, False)
    assert state.step(found.steps[-1].action).reward == found.reward == 1


@pytest.mark.parametrize("method", ["expert", "react", "adapt", "try_again"])
def test_successful_episodes_are_trajectories_that_solve_their_tasks(tmp_path: Path, method: str) -> None:
    run, model = tmp_path / "run", ["--model", "sim-fallible"] * (method != "expert")
    asked = ["--split", "dev", "--tasks", "6", "--epochs", "2", "--seed", "5", *model]
    printed("eval", method, "textcraft", *asked, "--out", run)
    found = read_earlier_run(run, "textcraft")
    assert len(found.successes) + found.left_out["unsuccessful"] == 12
    assert found.successes
    for each in found.successes:
        source = each.source.removeprefix(f"{run} ")
        assert source.startswith(f"{each.task}/")
        check(each, seed=5, epoch=int(source.split("/")[1]))


def test_a_search_in_copies_gives_the_whole_way_to_the_answer(tmp_path: Path) -> None:
    run = tmp_path / "run"
    printed("eval", "search", "textcraft", "--tasks", "3", "--model", "sim-strong", "--out", run)
    found = read_earlier_run(run, "textcraft")
    assert found.successes
    for each in found.successes:
        check(each, seed=0, epoch=0)


def test_episodes_without_success_are_counted_by_why_and_the_newest_attempt_counts(tmp_path: Path) -> None:
    went = {
        "cake": Went(calls=2),
        "beehive": Went(),
        "bread": LOST,
        "bookshelf": Went("faulted", 0.0),
        "painting": Went(None),
        "lantern": Went(calls=0),
    }
    run = samples.write(tmp_path / "run", samples.record("react", ("beehive", "cake", *list(went)[2:])), went)
    found = read_earlier_run(run, "textcraft")
    assert [each.task for each in found.successes] == ["beehive", "cake"]
    assert [len(each.steps) for each in found.successes] == [1, 1]  # the second step was rejected
    assert found.left_out == {"unsuccessful": 1, "faulted": 1, "unfinished": 1, "without an action": 1}
    with WritableRun.open(run) as folder:
        samples.journal(folder, {"bread": Went(), "cake": LOST}, attempt=1)
    again = read_earlier_run(run, "textcraft")
    assert [each.source for each in again.successes] == [f"{run} beehive/0/0", f"{run} bread/0/1"]
    assert again.left_out == found.left_out


def test_continuations_are_trajectories_in_the_world_of_the_recorded_episode(tmp_path: Path) -> None:
    run, fork = tmp_path / "run", tmp_path / "fork"
    printed("eval", "react", "textcraft", "--tasks", "beehive", "--epochs", "2", "--model", "sim-strong", "--out", run)
    printed("fork", run, "beehive/1/0", "--at", "step:2", "--times", "2", "--out", fork)
    found = read_earlier_run(fork, "textcraft")
    assert [each.source.split()[-1] for each in found.successes] == ["beehive/0/0", "beehive/1/0"]
    for each in found.successes:
        check(each, seed=0, epoch=1)


def test_a_run_that_learnt_gives_its_training_tasks_first_and_all_versions_have_one_world(tmp_path: Path) -> None:
    record = learning_runs.record(["bread"], ["bookshelf"])
    with WritableRun.create(tmp_path / "run", record) as folder:
        samples.journal(folder, {"beehive": Went(), "bread": Went()}, epoch=1)
        samples.journal(folder, {"bread": Went()}, epoch=0)
    found = read_earlier_run(tmp_path / "run", "textcraft")
    assert [each.source.split()[-1] for each in found.successes] == ["bread/0/0", "bread/1/0", "beehive/1/0"]
    first, second = (each.steps[0].observation for each in found.successes[:2])
    assert first == second


def test_a_run_of_another_world_or_version_or_none_is_refused(tmp_path: Path) -> None:
    run = samples.write(tmp_path / "run", samples.record(), {})
    with pytest.raises(UsageError, match=rf"earlier run: expected one in alfworld, got one in textcraft \({run}\)"):
        read_earlier_run(run, "alfworld")
    with pytest.raises(UsageError, match=r"run folder: expected a readable run.json"):
        read_earlier_run(tmp_path, "textcraft")
    other = samples.record().model_copy(update={"world_version": "0"})
    old = samples.write(tmp_path / "old", other, {})
    with pytest.raises(UsageError, match=r"expected one in textcraft of version 1\+\w+, got one in version 0"):
        read_earlier_run(old, "textcraft")
    (run / "journal.sqlite").unlink()
    with pytest.raises(UsageError, match="earlier run: expected a journal, got none"):
        read_earlier_run(run, "textcraft")
