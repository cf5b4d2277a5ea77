"""Arms of a study that are given what an earlier arm of it learns."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.memory.schema import MEMORY_FILE
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms, take_study_objects, with_seeds
from quintet.studies.definition import Study, find_study
from quintet.studies.given_arms import refuse_unlearnt
from quintet.studies.run import create
from tests.command import command, printed, refused
from tests.deploy import learning_runs

NOTING = "examples/insights.py:Insights"
TOML = f"""
name = "handed-on"
reference = "none"
common = {{ environment.name = "textcraft", model.name = "sim-strong", run.tasks = ["beehive"], memory.most = 2 }}

[arms]
learn = {{ method.name = "{NOTING}", run.learn = true, learning = {{ tasks = 1 }} }}
none.method.name = "react"
noted.method.name = "react"

[given]
noted = "learn"

[findings]
kind = "transfer"
label = "recipe depth"
"""

SILENT = """
from quintet.author import MethodOptions, NotesLearner, NotesMethod, NotesOptions


class SilentLearner(NotesLearner[NotesOptions]):
    memory = {"retrieval": "lexical"}
    worlds = {"textcraft": {"split": "dev", "tasks": 4, "rounds": 2}}

    async def note(self, run, version, ran, experience):
        return ()


class Silent(NotesMethod[MethodOptions]):
    name = "silent"
    version = "1"
    roles = ()
    learner = SilentLearner
"""
"""A learner that notes nothing."""


def _study(arms: Mapping[str, Mapping[str, Any]], given: Mapping[str, str], **further: Any) -> Study:
    return Study(name="handed-on", arms=arms, given=given, **further)


LEARNS = {"method": {"name": "autoplan"}, "run": {"learn": True}, "learning": {"tasks": 2, "batch": 1}}
NOTES: Mapping[str, Any] = {"method": {"name": NOTING}, "run": {"learn": True}, "learning": {"tasks": 1}}
REACT: Mapping[str, Any] = {"method": {"name": "react"}}
WORLD = {"environment": {"name": "textcraft"}}
TASKS = from_assignments(["run.tasks=1", "model.name=sim-strong"])
TEXTCRAFT = from_assignments(["environment.name=textcraft", "run.tasks=1", "model.name=sim-strong"])


def _refusal(study: Study) -> str:
    with pytest.raises(UsageError) as error:
        prepare_arms(study, [TEXTCRAFT])
    return str(error.value)


def test_what_cannot_be_given_is_refused_before_anything_runs() -> None:
    expert = {"method": {"name": "expert"}}
    said = _refusal(_study({"learn": LEARNS, "told": expert}, {"told": "learn"}))
    assert said.startswith(
        "arm told: method.plan: expected a method that asks an executor, or for programs, got 'expert'"
    )
    kitchen = {**REACT, "environment": {"name": "alfworld"}}
    tuples = {"method": {"name": "ldm2"}, "run": {"learn": True}, "learning": {"tasks": 4}}
    for learner, kind in ((LEARNS, "plan"), (tuples, "memory")):
        with pytest.raises(UsageError) as error:
            prepare_arms(_study({"learn": {**learner, **WORLD}, "told": kitchen}, {"told": "learn"}), [TASKS])
        assert str(error.value) == (f"arm told: given: expected a notebook in another world, got a {kind} of textcraft")
    said = _refusal(_study({"learn": REACT, "told": REACT}, {"told": "learn"}))
    assert said == "arm told: given: expected an arm that learns (run.learn), got one that does not"
    wrong: list[tuple[Mapping[str, Mapping[str, Any]], Mapping[str, str]]] = [
        ({"told": REACT, "learn": LEARNS}, {"told": "learn"}),
        ({"learn": LEARNS}, {"told": "learn"}),
        ({"learn": LEARNS, "told": REACT}, {"told": "other"}),
    ]
    for arms, given in wrong:
        with pytest.raises(ValueError, match=r"given\.told: expected an arm and an earlier arm that learns"):
            _study(arms, given)
    with pytest.raises(ValueError, match="given: expected none beside a grid"):
        Study(name="x", grid={"method": ("react",)}, given={"react": "react"})


def test_a_plan_or_a_memory_is_looked_for_in_the_folder_of_the_arm_that_learns_it(tmp_path: Path) -> None:
    arms = {"plan": LEARNS, "notes": NOTES, "planned": REACT, "noted": REACT}
    study = _study(arms, {"planned": "plan", "noted": "notes"})
    study, layers, objects = take_study_objects(with_seeds(study, 2), [TEXTCRAFT])
    with create(study, prepare_arms(study, layers, objects=objects), tmp_path / "study", objects):
        record = StudyFolder.open_to_read(tmp_path / "study").record
    assert record.given == {
        f"{arm}-seed-{seed}": f"{study.given[arm]}-seed-{seed}" for arm in study.given for seed in (0, 1)
    }
    folders = tmp_path / "study" / "arms"
    assert record.arms["planned-seed-1"].method.plan == folders / "plan-seed-1" / "plan.md"
    memory = record.arms["noted-seed-0"].memory
    assert memory is not None
    assert (memory.source, memory.retrieval, memory.most) == (str(folders / "notes-seed-0"), "lexical", 3)


def test_a_given_arm_may_be_shown_a_control_in_place_of_what_it_recalls(tmp_path: Path) -> None:
    arms = {"notes": NOTES, "noted": REACT, "mixed": REACT}
    study = _study(arms, {"noted": "notes", "mixed": "notes"}, controls={"mixed": "shuffled"})
    study, layers, objects = take_study_objects(study, [TEXTCRAFT])
    with create(study, prepare_arms(study, layers, objects=objects), tmp_path / "study", objects):
        record = StudyFolder.open_to_read(tmp_path / "study").record
    shown = {name: record.arms[name].memory for name in ("noted", "mixed")}
    assert {name: each.control for name, each in shown.items() if each} == {"noted": "none", "mixed": "shuffled"}
    plan = _study({"learn": LEARNS, "told": REACT}, {"told": "learn"}, controls={"told": "random"})
    assert _refusal(plan) == "arm told: controls: expected none of a plan, got 'random'"
    with pytest.raises(ValueError, match=r"controls\.noted: expected an arm that is given something, got 'noted'"):
        _study(arms, {"mixed": "notes"}, controls={"noted": "random"})


def test_arms_that_only_learn_are_not_compared(tmp_path: Path) -> None:
    file = tmp_path / "handed-on.toml"
    file.write_text(TOML.replace('kind = "transfer"\nlabel = "recipe depth"', 'kind = "comparison"'))
    content = json.loads(printed("study", file, "--no-picture", "--json", "--out", tmp_path / "out"))
    (found,) = content["studies"].values() if isinstance(content["studies"], dict) else content["studies"]
    assert [each["method"] for each in found["methods"]] == ["none", "noted"]


def test_a_study_of_two_stages_goes_on_after_a_kill_from_its_folder_alone(tmp_path: Path) -> None:
    file, whole, killed = tmp_path / "handed-on.toml", tmp_path / "whole", tmp_path / "killed"
    file.write_text(TOML)
    out = printed("study", file, "--no-picture", "--out", whole)
    assert "noted" in out
    study, layers, objects = take_study_objects(find_study(str(file)), [])
    create(study, prepare_arms(study, layers, objects=objects), killed, objects).close()
    said = command("resume", killed, code=0)
    assert "arm 3 of 3: noted on textcraft" in said.err
    assert _without_places(said.out) == _without_places(out)
    for folder in (whole, killed):
        given = RunFolder.open_to_read(folder / "arms" / "noted").record
        assert given.memory is not None
        assert given.memory.file == folder / "arms" / "learn" / MEMORY_FILE
        assert [each.run for each in given.learnt_by] == [folder / "arms" / "learn"]


def test_an_arm_that_is_given_an_empty_notebook_is_the_one_that_is_given_none(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text(SILENT)
    file, folder = tmp_path / "handed-on.toml", tmp_path / "out"
    file.write_text(TOML.replace(NOTING, f"{tmp_path / 'silent.py'}:Silent"))
    printed("study", file, "--no-picture", "--out", folder)
    given = RunFolder.open_to_read(folder / "arms" / "noted").record.memory
    assert given is not None
    assert (given.kind, given.notes) == ("notebook", 0)
    paths = (folder / "arms" / arm for arm in ("none", "noted"))
    none, noted = (json.loads(printed("report", path, "--json"))["runs"][0] for path in paths)
    assert noted["prompt_tokens"] == none["prompt_tokens"] > 0


def _without_places(text: str) -> list[str]:
    return [line for line in text.splitlines() if "/arms/" not in line]


def test_a_dry_run_says_what_is_given_and_promises_no_bound_where_a_model_may_be_asked_to_recall(
    tmp_path: Path,
) -> None:
    (tmp_path / "handed-on.toml").write_text(TOML)
    said = printed("study", tmp_path / "handed-on.toml", "--dry-run", "--out", tmp_path / "out")
    assert "noted: is given what learn learns" in said
    (row,) = [line.split() for line in said.splitlines() if line.startswith("noted ")]
    assert row[1:4] == ["1", "no", "bound"]
    assert not (tmp_path / "out").exists()


def test_with_several_seeds_every_one_learns_and_the_costs_are_those_of_all(tmp_path: Path) -> None:
    (tmp_path / "handed-on.toml").write_text(TOML)
    words = ["study", tmp_path / "handed-on.toml", "--no-picture", "--seeds", "2", "--json", "--out", tmp_path / "out"]
    (found,) = json.loads(printed(*words))["studies"].values()
    (noted,) = found["memories"]
    arms = tmp_path / "out" / "arms"
    assert [each["run"] for each in noted["learnt_by"]] == [str(arms / f"learn-seed-{seed}") for seed in (0, 1)]
    calls = [RunFolder.open_to_read(arms / f"noted-seed-{seed}").record.learnt_by[0].calls for seed in (0, 1)]
    assert noted["learning"]["calls"] == sum(calls) > 0
    assert (noted["episodes"], found["transfer"][0]["tasks"]) == (2, 1)
    assert "not pooled over seeds" not in printed("report", tmp_path / "out")


def test_a_learner_that_faulted_has_taught_nothing(tmp_path: Path) -> None:
    run = learning_runs.write(tmp_path / "learn", learning_runs.record(("stick",)), [], chosen=None)
    with pytest.raises(UsageError, match=r"arm told: expected what arm learn learnt, got none: its learner faulted; "):
        refuse_unlearnt("told", run)
    chosen = learning_runs.write(tmp_path / "chosen", learning_runs.record(("stick",)), [], chosen=0)
    refuse_unlearnt("told", chosen)


def test_a_setting_of_a_given_arm_that_the_study_sets_is_refused(tmp_path: Path) -> None:
    (tmp_path / "handed-on.toml").write_text(TOML)
    words = ["study", tmp_path / "handed-on.toml", "--no-picture", "--set", "method.name=adapt"]
    assert "method.name: expected what study handed-on sets for each arm" in refused(*words, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
