"""What can be named is listed, plug-ins with their distribution, also beside one that cannot be had."""

from pathlib import Path

import pytest

from quintet.cli.list import listing
from tests.deploy.pupil import enroll
from tests.distributions import install


def test_a_plug_in_is_listed_with_its_distribution_and_its_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = listing("environments")
    install(tmp_path, monkeypatch, {"environments": {"kitchen": "quintet.environments.textcraft.world:TextCraft"}})
    added = listing("environments").removeprefix(before).strip().splitlines()
    assert added[0].startswith("kitchen: Craft an item")
    assert added[0].endswith("(acme 1.0)")
    assert added[1].startswith("  environment.recipes = None: ")


def test_what_cannot_be_used_is_listed_as_such_and_the_rest_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = listing("methods")
    install(
        tmp_path, monkeypatch, {"methods": {"gone": "nowhere:METHOD", "twice": "quintet.methods.react.react:React"}}
    )
    install(tmp_path, monkeypatch, {"methods": {"twice": "quintet.methods.react.react:React"}}, distribution="zenith")
    gone, twice = listing("methods").removeprefix(before).strip().splitlines()
    assert gone.startswith("gone: cannot be used: method gone (acme 1.0): expected nowhere:METHOD, got ModuleNotFound")
    assert "twice: cannot be used: method twice: expected one distribution to bring it, got acme 1.0 and zen" in twice


def test_a_plug_in_that_takes_a_name_of_ours_is_named_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"models": {"scripted": "quintet.models.sim.model:strong"}})
    (line,) = [line for line in listing("models").splitlines() if line.startswith("scripted:")]
    assert line.endswith(
        "expected one distribution to bring it, got quintet-agents and acme 1.0; uninstall all but one"
    )


def test_what_a_method_learns_by_is_listed_with_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    enroll(monkeypatch)
    lines = listing("methods").splitlines()
    assert "  learning.batch = 4: Tasks of an iteration." in lines
    (alfworld,) = [line for line in lines[lines.index("  learning.select = last") :] if "on alfworld" in line]
    assert alfworld.endswith("environment.causes True, learning.split train, learning.tasks 24")
    (textcraft,) = [
        line
        for line in lines[: lines.index("  learning.batch = 4: Tasks of an iteration.")]
        if "on textcraft: max" in line
    ]
    assert "learning" not in textcraft


def test_options_of_environments_and_models_are_listed_with_what_their_docstrings_say() -> None:
    assert "  environment.causes = False: whether a rejected action is answered with why" in listing("environments")
    assert "  model.file: a GGUF file with a chat template." in listing("models").splitlines()
