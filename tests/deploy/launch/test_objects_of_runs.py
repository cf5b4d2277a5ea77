"""Runs and studies of objects: begun, gone on with, and refused under other code."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from quintet.api import evaluate, resume
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.messages.prompts import Prompt
from quintet.methods.random.config import RandomConfig
from quintet.methods.random.random import Random
from quintet.ports.model import Completion, Sampling
from quintet.studies.arms import prepare_arms, take_study_objects
from quintet.studies.definition import Study, recorded_study
from quintet.studies.run import WritableStudy, create
from tests.actors.fakes import Kitchen
from tests.actors.plugins import objects_of_tests
from tests.actors.plugins.objects_of_tests import Waiting
from tests.command import command

FILE = objects_of_tests.__file__


def test_a_world_of_a_program_is_played_and_a_resume_takes_it_again(tmp_path: Path) -> None:
    (end,) = evaluate(Random(RandomConfig(max_steps=3)), Kitchen(), journal=tmp_path / "run")
    assert end.fault is None
    assert resume(tmp_path / "run", objects=[Kitchen()]) == []
    with pytest.raises(UsageError, match="environment kitchen: expected the object that was given from Python"):
        resume(tmp_path / "run")


class Closing:
    """A model that must not be closed by a run."""

    name = "closing"

    def __init__(self) -> None:
        self.closed = False

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return Completion(text="Thought: no.\nAction: task failed")

    async def aclose(self) -> None:
        self.closed = True


def test_whoever_gives_an_instance_closes_it() -> None:
    model = Closing()
    (end,) = evaluate(Waiting, "textcraft", model=model, tasks=1)
    assert end.reason == "given up as impossible"
    assert not model.closed


def test_an_address_beside_an_object_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"model\.url: expected none beside an object of yours, closing, got 'http://a'"
    ):
        evaluate(Waiting, "textcraft", model=Closing, tasks=1, settings={"model": {"url": "http://a"}})


def _study(**method: Any) -> Study:
    return Study(
        name="own",
        summary="A study with an object",
        common={"environment": {"name": "textcraft"}, "run": {"tasks": 1}},
        arms={"plain": {"method": {"name": "react"}}, "own": {"method": method}},
    )


def test_a_study_keeps_the_objects_of_its_arms_and_goes_on_under_the_same_code(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(Path(FILE).read_text())
    study, layers, objects = take_study_objects(_study(name=f"{file}:Waiting", tries=4), [])
    assert study.arms["own"] == {"method": {"name": "waiting", "tries": 4}}
    arms = prepare_arms(study, layers, objects=objects)
    with create(study, arms, tmp_path / "study", objects):
        pass
    changes = from_assignments(["runtime.concurrency=2"])
    with WritableStudy.open(tmp_path / "study", changes) as folder:
        own, plain = (folder.create_arm(arm) for arm in ("own", "plain"))
        assert [each.name for each in own.record.code] == ["waiting"]
        assert (own.config.runtime.concurrency, plain.record.code) == (2, ())
        own.close()
        plain.close()
        folder.open_arm("own").close()
    file.write_text(file.read_text() + "\n")
    with pytest.raises(UsageError, match=r"code of method waiting, own\.py"):
        WritableStudy.open(tmp_path / "study")


def test_an_object_is_a_level_of_a_grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(Path(FILE).read_text())
    common = {"environment": {"name": "textcraft"}, "run": {"tasks": 1}}
    grid = Study(name="own", common=common, grid={"method": ("react", "own.py:Waiting"), "model": ("sim-weak",)})
    study, layers, objects = take_study_objects(grid, [])
    arms = prepare_arms(study, layers, objects=objects)
    names = [(name, arm.config.method.name) for name, arm in arms.items()]
    assert names == [("react", "react"), ("own.py:Waiting", "waiting")]
    with create(study, arms, tmp_path / "study", objects) as folder:
        assert recorded_study(folder) == study


def test_a_run_of_an_object_is_opened_with_what_an_earlier_resume_changed(tmp_path: Path) -> None:
    evaluate("random", Kitchen, journal=tmp_path / "run")
    changes = from_table({"runtime": {"concurrency": 3}}, "a test")
    with WritableRun.open(tmp_path / "run", changes) as folder:
        folder.keep_changes()
    with WritableRun.open(tmp_path / "run") as folder:
        assert folder.config.runtime.concurrency == 3
        live = from_table({"runtime": {"concurrency": 4}}, "quintet ctl")
        assert folder.change(live).runtime.concurrency == folder.config.runtime.concurrency == 4


@pytest.mark.slow
def test_methods_are_compared_and_resumed_by_their_files(tmp_path: Path) -> None:
    out = tmp_path / "study"
    methods = ("react:max_steps=2", f"{FILE}:Waiting:inner.max_steps=3", f"{FILE}:configured")
    command("compare", *methods, "textcraft", "--tasks", "1", "--no-picture", "--out", out, code=0)
    arms = {"react:max_steps=2", "waiting:inner.max_steps=3", "waiting:tries=5"}
    assert {folder.name for folder in (out / "arms").iterdir()} == arms
    assert [each["name"] for each in msgspec.json.decode((out / "study.json").read_bytes())["code"]] == ["waiting"]
    command("resume", out, "--concurrency", "2", code=0)
    command("report", out, code=0)
    shown = command("eval", f"{FILE}:Waiting", "textcraft", "--tasks", "1", "--dry-run")
    assert 'method.name = "waiting"' in shown.out
