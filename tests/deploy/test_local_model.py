"""A run with a model in a file: its name, its record, its release. No file here is ever loaded."""

from pathlib import Path
from typing import Any

import pytest

from quintet.config import plugins
from quintet.config.sections import ModelSettings, RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import Prepared, prepare, prepare_again
from quintet.models.local.model import Local
from quintet.models.scripted import Scripted
from tests.actors.models.local import gguf_files

pytestmark = pytest.mark.real_time

REACT = {"method": {"name": "react"}, "environment": {"name": "textcraft"}, "run": {"tasks": ["stick"]}}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(_name: str) -> object:
        return object()

    monkeypatch.setattr("quintet.models.local.model.find_spec", find)


def prepared(*assignments: str, **sections: Any) -> Prepared:
    return prepare([from_table({**REACT, **sections}, "test"), from_assignments(assignments)])


def config(*assignments: str, **sections: Any) -> RunConfig:
    return prepared(*assignments, **sections).config


def test_a_local_file_is_the_model_of_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gguf_files.file(tmp_path / "tiny.gguf")
    monkeypatch.chdir(tmp_path)
    short = config(model={"name": "local:tiny.gguf"})
    assert short == config(model={"name": "local", "file": str(tmp_path / "tiny.gguf")})
    assert short.model.options["file"] == str(tmp_path / "tiny.gguf")
    assert isinstance(plugins.make_model(short.model), Local)


def test_a_later_layer_names_another_file(tmp_path: Path) -> None:
    first, second = (str(gguf_files.file(tmp_path / f"{name}.gguf")) for name in ("first", "second"))
    assert config(f"model.name=local:{second}", model={"name": f"local:{first}"}).model.options["file"] == second
    assert config(f"model.file={second}", model={"name": f"local:{first}"}).model.options["file"] == second
    assert config("model.name=sim-weak", model={"name": "local", "url": ""}).model.name == "sim-weak"


def test_a_role_has_a_file_of_its_own(tmp_path: Path) -> None:
    first, second = (str(gguf_files.file(tmp_path / f"{name}.gguf")) for name in ("first", "second"))
    model = {"name": f"local:{first}", "planner": {"name": f"local:{second}"}}
    models = prepared(method={"name": "adapt"}, model=model).spec.models
    assert models["react/executor"].name.startswith("local:first.gguf@")
    assert models["planner"].name.startswith("local:second.gguf@")


def test_a_role_inherits_context_and_options_with_the_file_alone(tmp_path: Path) -> None:
    first, second = (str(gguf_files.file(tmp_path / f"{name}.gguf")) for name in ("first", "second"))
    base = {"name": f"local:{first}", "context": 512, "parallel": 2, "max_tokens": 99}

    def planner(**table: Any) -> ModelSettings:
        return config(method={"name": "adapt"}, model={**base, "planner": table}).model.of("planner")

    for same in (planner(temperature=0.5), planner(name=f"local:{first}"), planner(name="local")):
        assert (same.context, same.options["parallel"], same.max_tokens) == (512, 2, 99)
    for other in (planner(name=f"local:{second}"), planner(file=second)):
        assert (other.context, other.options["parallel"], other.max_tokens) == (None, 1, 99)


def test_a_set_context_replaces_the_models(tmp_path: Path) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(gguf_files.header({"general.architecture": "llama", "tokenizer.chat_template": "{{ messages }}"}))
    with pytest.raises(UsageError, match=r"^model\.context: expected one.*test\)$"):
        config(model={"name": f"local:{file}"})
    config(model={"name": f"local:{file}", "context": 512})


def test_a_missing_model_file_is_refused_with_its_origin(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^model\.file: expected a GGUF file, got no such file .*, --set model\."):
        config(f"model.name=local:{tmp_path / 'none.gguf'}")


def test_a_local_model_is_refused_on_ray(tmp_path: Path) -> None:
    file = gguf_files.file(tmp_path / "tiny.gguf")
    with pytest.raises(UsageError, match=r"^model: expected one behind an endpoint for a run on Ray, got local:tiny"):
        config(model={"name": f"local:{file}"}, runtime={"hosts": 2})


def test_the_record_keeps_the_file_and_another_one_does_not_resume(tmp_path: Path) -> None:
    file = gguf_files.file(tmp_path / "tiny.gguf")
    record = prepared(model={"name": f"local:{file}"}).record
    assert record.files["executor"].name == "tiny.gguf"
    assert record.files["executor"].size == file.stat().st_size
    prepare_again(record, {}, tmp_path)
    gguf_files.file(file, name="another one")
    with pytest.raises(UsageError, match=r"^model file of executor: expected SHA-256 .* \(tiny\.gguf, \d+ bytes\)"):
        prepare_again(record, {}, tmp_path)


async def test_a_run_closes_its_models_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Held(Scripted):
        async def aclose(self) -> None:
            closed.append(self.name)

    def held(_settings: ModelSettings) -> Held:
        return Held(["Action: task failed"], name="held")

    monkeypatch.setattr(plugins, "make_model", held)

    async with open_evaluation(prepared(model={"name": "scripted"})) as evaluation:
        ends = [end async for end in evaluation.run(evaluation.left())]
        assert [end.state for end in ends] == ["unsolved"]
        assert closed == []
    assert closed == ["held"]
