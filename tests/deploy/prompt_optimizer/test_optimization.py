"""An optimisation as a whole: by a model that heeds a word in its prompt, by one that does not, and killed anywhere."""

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quintet.api import OptimizedPrompts, optimize_prompts, resume_prompts
from quintet.config.settings import Settings
from quintet.errors import BudgetSpent, UsageError
from quintet.runs.listing import read_entry
from quintet.runs.study_folder import StudyFolder
from tests.deploy.prompt_optimizer.lamps import START, TELLS, DarkRoom, Reader, Room, Seek, better
from tests.deploy.studies.killed_arms import Killed, kill_around_arms

ALL_CALLS = 2 + 2 + 1 + 2 + 2 + 3 + 3
"""Of the start in held-out tasks and in a batch, a reflection, the candidate in both, and both in three test tasks."""


def _optimize(folder: Path, reader: Reader, **further: Any) -> OptimizedPrompts:
    given: dict[str, Any] = {
        "train_split": "train",
        "train_tasks": 6,
        "held_out": 2,
        "batch": 2,
        "iterations": 2,
        "tasks": 3,
    }
    world, prompts = further.pop("world", Room), further.pop("prompts", ["seeker"])
    return optimize_prompts(Seek, world, prompts, folder, model=reader, **{**given, **further})


def _told(folder: Path) -> dict[str, tuple[str, ...]]:
    """By arm, its tasks: what is compared of two folders."""
    record = StudyFolder.open_to_read(folder).record
    return {arm: (str(config.run.tasks), str(config.method.options)) for arm, config in record.arms.items()}


class Whole(NamedTuple):
    """An undisturbed optimisation, and the model that was asked. Its folder is only read."""

    folder: Path
    reader: Reader
    found: OptimizedPrompts


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder, reader = tmp_path_factory.mktemp("whole") / "run", Reader(better())
    return Whole(folder, reader, _optimize(folder, reader))


def test_a_model_that_heeds_a_word_does_better_by_the_candidate_that_has_it(whole: Whole) -> None:
    _, reader, found = whole
    start, best = found.candidates.start, found.best
    assert (start.mean(found.about.held_out), start.mean(found.about.test)) == (0, 0)
    assert (best.mean(found.about.held_out), best.mean(found.about.test)) == (1, 1)
    assert best.texts == {"seeker": better()}
    assert len(reader.calls) == ALL_CALLS + 2  # the second iteration's batch, where nothing is left to improve
    (folder,) = found.prompt_folders(best).values()
    assert TELLS in (folder / "room" / "seeker.txt").read_text()
    reflections = [call for call in reader.calls if call.startswith("You improve")]
    assert all(START in call and "It stays dark." in call and "reward 0" in call for call in reflections)


def test_a_model_that_heeds_nothing_does_no_better_and_the_start_stays(tmp_path: Path) -> None:
    found = _optimize(tmp_path / "run", Reader(better(), heeds=False))
    assert found.best is found.candidates.start
    assert [each.mean(found.about.held_out) for each in found.candidates] == [0, None]
    assert next(found.notes).startswith("no candidate has a greater mean reward")


@pytest.mark.parametrize("before", [pytest.param(True, marks=pytest.mark.slow), False], ids=["before", "after"])
def test_killed_around_every_run_it_comes_to_the_same_without_a_repeated_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Whole, before: bool
) -> None:
    reader, kills = Reader(better()), 0
    begun = kill_around_arms(monkeypatch, "quintet.prompt_optimizer.arms", before=before)
    with pytest.raises(Killed):
        _optimize(tmp_path / "run", reader)
    found = None
    while found is None:
        assert read_entry(tmp_path / "run").state == "interrupted"
        begun.clear()
        kills += 1
        with suppress(Killed):
            found = resume_prompts(tmp_path / "run", objects=[reader])
    assert read_entry(tmp_path / "run").state == "done"
    assert kills == len(_told(whole.folder)) - before
    assert _told(tmp_path / "run") == _told(whole.folder)
    assert len(reader.calls) == len(whole.reader.calls)
    assert found.content == {**whole.found.content, "prompts": found.content["prompts"]}


def test_a_budget_is_of_candidates_and_reflections_together_and_what_was_paid_for_is_kept(
    tmp_path: Path, whole: Whole
) -> None:
    reader = Reader(better())
    with pytest.raises(BudgetSpent):
        _optimize(tmp_path / "run", reader, settings={"limits": {"budget_tokens": 5_000}})
    begun = len(reader.calls)
    assert begun == 4, "the start was played; a reflection may take 4,096 tokens, which no longer fit"
    with pytest.raises(BudgetSpent):
        resume_prompts(tmp_path / "run", objects=[reader])
    assert len(reader.calls) == begun
    found = resume_prompts(tmp_path / "run", objects=[reader], settings={"limits": {"budget_tokens": 50_000}})
    assert len(reader.calls) == len(whole.reader.calls)
    assert found.best.texts == whole.found.best.texts


def test_a_text_that_loses_a_slot_is_refused_in_words_and_written_again(tmp_path: Path) -> None:
    reader = Reader(TELLS, f"{better()} {{subgoals}}", better())
    found = _optimize(tmp_path / "run", reader, iterations=1)
    assert found.best.texts == {"seeker": better()}
    reflections = [call for call in reader.calls if call.startswith("You improve")]
    assert "expected {rules}, as in the prompt before, got a text without {rules}." in reflections[1]
    assert "got {subgoals} besides." in reflections[2]
    assert len(reflections) == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [(TELLS, "got a text without {rules}"), ("", "the model"), (START, "")],
    ids=["always lost", "nothing", "the same"],
)
def test_a_model_that_gives_no_new_text_leaves_the_start_and_is_named(tmp_path: Path, text: str, reason: str) -> None:
    reader = Reader(text)
    found = _optimize(tmp_path / "run", reader, iterations=1)
    assert [each.name for each in found.candidates] == ["c0"]
    assert [written.text for written in found.written] == [text if text == START else None]
    assert reason in found.written[0].reason
    assert any("1 of 1 reflection gave no text" in note for note in found.notes) == (text != START)


def test_a_candidate_that_cannot_be_played_earns_nothing_without_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(better())

    def refuse(*arguments: Any) -> Settings:
        if arguments[-1]:
            raise UsageError("prompt: expected another text")
        return {}

    monkeypatch.setattr("quintet.prompt_optimizer.adapter.write_texts", refuse)
    found = _optimize(tmp_path / "run", reader, iterations=1)
    start, other = found.candidates
    assert (other.unusable, other.arms > 0, other.played) == ("prompt: expected another text", True, {})
    assert found.best is start
    assert any("c1 cannot be played" in note for note in found.notes)


def test_a_candidate_that_was_played_on_other_tasks_is_no_candidate_that_earns_nothing(
    tmp_path: Path, whole: Whole
) -> None:
    shutil.copytree(whole.folder, tmp_path / "run")
    file = tmp_path / "run" / "study.json"
    record = json.loads(file.read_text())
    record["arms"]["c1-1"]["run"]["tasks"] = ["train 0"]
    file.write_text(json.dumps(record))
    with pytest.raises(UsageError, match=r"c1-1: run\.tasks: expected \['train 0'\], as the arm was begun, got"):
        resume_prompts(tmp_path / "run", objects=[whole.reader])


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"prompts": ["seekr"]}, "prompts: expected 'seeker', got 'seekr'"),
        ({"prompts": []}, "prompts: expected one of"),
        ({"batch": 5}, "--batch: expected at most 4, the tasks to learn from that are not held out, got 5"),
        ({"iterations": 0}, "--iterations: expected at least 1, got 0"),
        (
            {"train_tasks": ["test 0", "train 0"], "held_out": 1},
            "learning.tasks: expected tasks other than those that",
        ),
        ({"train_tasks": 0}, "learning.tasks: expected a number of tasks >= 1"),
        ({"settings": {"model": {"prompt_writer": {"nam": "x"}}}}, "model.prompt_writer.nam"),
    ],
)
def test_what_is_wrong_is_refused_before_any_call(tmp_path: Path, given: dict[str, Any], error: str) -> None:
    reader = Reader(better())
    with pytest.raises(UsageError, match=error):
        _optimize(tmp_path / "run", reader, **given)
    assert (reader.calls, (tmp_path / "run").exists()) == ([], False)


def test_another_version_of_the_package_does_not_go_on(whole: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(_package: str) -> str:
        return "9.0"

    monkeypatch.setattr("quintet.prompt_optimizer.optimization.version", version)
    with pytest.raises(UsageError, match=r"gepa: expected version 0\.1\.4, whose choices are repeated, got 9.0"):
        resume_prompts(whole.folder, objects=[whole.reader])


def test_a_model_of_its_own_writes_the_prompts(tmp_path: Path) -> None:
    player, writer = Reader(), Reader(better(), name="writer")
    found = _optimize(tmp_path / "run", player, settings={"model": {"prompt_writer": {"name": writer}}})
    assert found.best.texts == {"seeker": better()}
    assert [call.startswith("You improve") for call in writer.calls] == [True]
    assert not any(call.startswith("You improve") for call in player.calls)


def test_an_episode_that_faults_counts_as_nothing_earned_and_is_named(tmp_path: Path) -> None:
    found = _optimize(tmp_path / "run", Reader(better()), iterations=1, world=DarkRoom)
    assert found.best.texts == {"seeker": better()}
    assert found.best.mean(found.about.test) == pytest.approx(2 / 3)
    assert "2 episodes faulted, and count as a reward of 0" in found.notes
