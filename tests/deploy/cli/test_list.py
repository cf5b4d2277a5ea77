"""Lists of plug-ins with their distributions, even if one of them cannot be loaded."""

from pathlib import Path

import pytest

from quintet.cli.list import list_lines
from quintet.errors import UsageError
from tests.deploy.pupil import enroll
from tests.distributions import install


def test_a_plug_in_is_listed_with_its_distribution_and_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_lines("environments")
    install(tmp_path, monkeypatch, {"environments": {"kitchen": "quintet.environments.textcraft.world:TextCraft"}})
    added = list_lines("environments").removeprefix(before).strip().splitlines()
    assert added[0].startswith("kitchen: Craft an item")
    assert added[0].endswith("(acme 1.0)")
    assert added[1].startswith("  environment.recipes = None: ")
    assert "  model.file: a GGUF file with a chat template." in list_lines("models").splitlines()


def test_a_plug_in_that_cannot_be_used_is_listed_as_such_with_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_lines("methods")
    install(
        tmp_path, monkeypatch, {"methods": {"gone": "nowhere:METHOD", "twice": "quintet.methods.react.react:React"}}
    )
    install(tmp_path, monkeypatch, {"methods": {"twice": "quintet.methods.react.react:React"}}, distribution="zenith")
    gone, twice = list_lines("methods").removeprefix(before).strip().splitlines()
    assert gone.startswith("gone: cannot be used: method gone (acme 1.0): expected nowhere:METHOD, got ModuleNotFound")
    assert "twice: cannot be used: method twice: expected one distribution to bring it, got acme 1.0 and zen" in twice


def test_a_plug_in_that_takes_a_name_of_ours_is_named_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"models": {"scripted": "quintet.models.stand_in.model:strong"}})
    (line,) = [line for line in list_lines("models").splitlines() if line.startswith("scripted:")]
    assert line.endswith(
        "expected one distribution to bring it, got quintet-agents and acme 1.0; uninstall all but one"
    )


def test_a_methods_learner_is_listed_with_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    enroll(monkeypatch)
    lines = list_lines("methods").splitlines()
    assert "  learning.batch = 4: Tasks of an iteration." in lines
    (alfworld,) = [line for line in lines[lines.index("  learning.select = last") :] if "on alfworld" in line]
    assert alfworld.endswith("environment.causes True, learning.split train, learning.tasks 24")
    (textcraft,) = [
        line
        for line in lines[: lines.index("  learning.batch = 4: Tasks of an iteration.")]
        if "on textcraft: max" in line
    ]
    assert "learning" not in textcraft


def test_a_file_that_is_no_study_is_listed_as_such_with_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list_lines("studies")
    studies = tmp_path / "lamps" / "studies"
    studies.mkdir(parents=True)
    (studies / "heat.toml").write_text("name = [")
    install(tmp_path, monkeypatch, {"methods": {"lamp": "lamps.method:LAMP"}})
    added = list_lines("studies").removeprefix(before).strip()
    assert added.startswith("heat: cannot be used: heat.toml: expected a readable Study, got: ")
    assert added.endswith(f"({studies / 'heat.toml'})")


def test_single_names_are_listed_in_the_order_given() -> None:
    lines = list_lines("methods", ["lats", "react"]).splitlines()
    assert [line.partition(":")[0] for line in lines if not line.startswith(" ")] == ["lats", "react"]
    assert any(line.startswith("  method.inner.name = None: ") for line in lines)
    with pytest.raises(UsageError, match="methods: expected 'reflexion', got 'reflection'"):
        list_lines("methods", ["react", "reflection"])
