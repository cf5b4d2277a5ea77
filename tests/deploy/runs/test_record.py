"""The record that is written before a run begins."""

import re
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.launch.prepare import prepare_again
from quintet.methods.react.react import React
from quintet.plugins import catalogue
from quintet.runs.record import RunRecord
from tests.deploy import pupil, samples
from tests.deploy.pupil import enroll


def test_a_record_names_versions_models_and_prompts() -> None:
    record = samples.record("adapt")
    assert record.models == {"planner": samples.MODEL, "react/executor": samples.MODEL}
    assert record.model == samples.MODEL
    assert record.method == "adapt"
    assert record.method_versions == {name: catalogue.method(name).version for name in ("adapt", "react")}
    assert {"python", "msgspec"} <= record.packages.keys()
    assert {"decompose", "react/execute", "react/demonstrations"} <= record.prompts.keys()
    assert all(len(digest) == 64 for digest in record.prompts.values())
    assert record.tasks[0].metadata == {"recipe depth": "2"}


def test_two_models_are_both_named_with_their_roles() -> None:
    record = samples.record("adapt", model={"planner": {"name": "sim-strong"}})
    assert record.model == "planner sim-strong (simulated) + react/executor sim-weak (simulated)"


def test_a_users_own_prompt_changes_its_hash(tmp_path: Path) -> None:
    (tmp_path / "textcraft").mkdir()
    (tmp_path / "textcraft" / "execute.txt").write_text("Craft.", encoding="utf-8")
    own = samples.record("react", method={"prompts": str(tmp_path)})
    plain = samples.record("react")
    assert own.prompts["execute"] != plain.prompts["execute"]
    assert own.prompts["demonstrations"] == plain.prompts["demonstrations"]


@pytest.mark.parametrize(
    ("method", "file", "content", "said"),
    [
        ("react", None, b"", r"method\.prompts: expected text files in .*textcraft, found none"),
        ("react", "excute", b"Craft.", r"method\.prompts: expected one of 'execute.txt', .*, got 'excute.txt'"),
        ("react", "execute", b"\xff", "expected UTF-8 text"),
    ],
)
def test_a_folder_of_other_prompts_is_refused(
    method: str, file: str | None, content: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / "textcraft").mkdir()
    if file is not None:
        (tmp_path / "textcraft" / f"{file}.txt").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        samples.record(method, method={"prompts": str(tmp_path)})


def test_demonstrations_that_the_environment_has_none_of_are_refused_before_the_run() -> None:
    with pytest.raises(UsageError, match=r"method\.demonstrations: expected .* react has for textcraft, .* 'skills'"):
        samples.record("react", method={"demonstrations": "atomic"})


def test_a_method_that_opens_a_task_that_the_environment_has_none_of_is_refused_before_the_run() -> None:
    options = {"reflections": "swapped", "other_tasks": ["cake", "calm"]}
    with pytest.raises(UsageError, match=r"further tasks: task: expected .* got 'calm'"):
        samples.record("reflexion", method=options)
    options["other_tasks"] = ["cake", "clock"]
    assert samples.record("reflexion", method=options).configuration.method.options["other_tasks"] == ["cake", "clock"]


def test_what_a_method_uses_rewards_for_is_recorded() -> None:
    assert samples.record("react").oracle == ""
    assert samples.record("try_again").oracle == "it takes the trial with the greatest reward"
    assert samples.record("adapt(try_again)").oracle == "try_again: it takes the trial with the greatest reward"
    assert samples.record("try_again(search)").oracle.endswith(
        "reward; search: a full reward ends it, and the greatest is the answer"
    )


def test_a_record_says_that_an_inner_method_gives_the_best_of_several_answers() -> None:
    assert samples.record("adapt").best_of == ""
    assert samples.record("adapt(plan_act)").best_of.startswith("plan_act: trials, of which the first")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"method_versions": {"adapt": "0"}},
            "method adapt: expected version 0, under which the run was begun, got 7 (run)",
        ),
        ({"world_version": "0"}, "environment textcraft: expected version 0, under which the run was begun, got "),
        (
            {"models": {"react/executor": "scripted-1", "planner": "sim-weak (simulated)"}},
            "model of react/executor: expected name scripted-1, under which the run was begun, got sim-weak",
        ),
        ({"prompts": {}}, "prompt decompose: expected SHA-256 none, under which the run was begun, got "),
    ],
)
def test_a_run_of_another_version_is_refused_with_both_named(change: dict[str, object], said: str) -> None:
    record = samples.record("adapt").model_copy(update=change)
    with pytest.raises(UsageError, match=re.escape(said)):
        prepare_again(record, {}, Path("run"))


def test_the_seed_does_not_change_the_tasks() -> None:
    assert samples.record(run={"seed": 1}).tasks == samples.record(run={"seed": 2}).tasks


LEARNING: dict[str, dict[str, object]] = {"run": {"learn": True}, "learning": {"held_out": 4}}


def test_a_record_of_a_run_that_learns_keeps_its_tasks_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    enroll(monkeypatch)
    record = samples.record("pupil", **LEARNING)
    assert record.learns
    assert (len(record.training), len(record.held_out), len(record.tasks)) == (20, 4, 1)
    for use, tasks in (("training", record.training), ("held out", record.held_out), ("test", record.tasks)):
        assert {record.use_of(task.name) for task in tasks} == {use}
    assert all(task.metadata for task in record.training)
    assert RunRecord.model_validate_json(record.model_dump_json()) == record


def test_a_record_of_a_run_that_learns_knows_its_size_and_leaves_its_order_to_the_learner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enroll(monkeypatch)
    record = samples.record("pupil", **LEARNING)
    assert (record.versions, record.episodes) == (5, 20 + 10 * 4 + 100)
    assert list(record.repeated()) == []
    assert list(record.models) == ["executor", "planner", "reflector"]


def test_a_missing_prompt_of_the_learner_is_refused_before_a_learning_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enroll(monkeypatch)
    monkeypatch.setattr(pupil.Pupil, "prompt_folders", React.prompt_folders)
    with pytest.raises(UsageError, match=r"prompts of pupil for textcraft: expected revise_plan\.txt, .* found none"):
        samples.record("pupil", **LEARNING)
    assert "reflect" not in samples.record("pupil").prompts


def test_a_record_from_before_learning_existed_is_read() -> None:
    record = samples.record("react", ["beehive", "stick"], run={"epochs": 2})
    old = record.model_dump(mode="json", exclude={"training", "held_out", "plan", "versions", "planned"})
    del old["configuration"]["learning"], old["configuration"]["run"]["learn"], old["configuration"]["method"]["plan"]
    del old["configuration"]["model"]["roles"], old["configuration"]["model"]["context"]
    read = RunRecord.model_validate(old)
    assert read == record
    assert not read.learns
    assert (read.episodes, len(list(read.repeated()))) == (4, 4)
    assert prepare_again(read, from_assignments(["runtime.concurrency=2"]), Path("run")).config.learning is None


def test_a_record_keeps_the_plan_even_if_its_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "plan.md"
    file.write_text("1. Look around.\n")
    record = samples.record("react", method={"plan": str(file)})
    file.unlink()
    assert RunRecord.model_validate_json(record.model_dump_json()).plan == "1. Look around."
    prepare_again(record, {}, Path("run"))
    prepare_again(record, from_assignments(["runtime.concurrency=2"]), Path("run"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, r"method\.plan: expected a text file, got No such file .*plan\.md"),
        ("a" * 1000, "expected at most 704 bytes, since the executor's context of 600 tokens"),
    ],
)
def test_a_plan_has_to_be_there_and_to_fit_the_executors_context(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "plan.md"
    if text is not None:
        file.write_text(text)
    model = {"context": 100_000, "max_tokens": 512, "executor": {"context": 600}}
    with pytest.raises(UsageError, match=said):
        samples.record("react", method={"plan": str(file)}, model=model)
