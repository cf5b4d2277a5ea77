"""`quintet check`: a report of every clause, and an exit code."""

from pathlib import Path

import pytest

from quintet.cli import main
from tests.command import command, printed, refused
from tests.deploy.testing import broken_environments, broken_models
from tests.distributions import install


def test_a_plug_in_is_checked_and_named_with_its_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"environments": {"stairs": f"{broken_environments.__name__}:Stairs"}})
    said = printed("check", "environment", "stairs").splitlines()
    assert said[0] == "environment stairs (acme 1.0)"
    assert said[1] == "  task 'low stairs', seed 0: 2 actions, solved"
    assert "  holds    a fork goes its own way" in said
    assert said[-1] == "42 clauses: 34 hold, 0 broken, 8 skipped"


@pytest.mark.slow
def test_a_broken_clause_is_reported_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"environments": {"stairs": f"{broken_environments.__name__}:SHARED"}})
    said = command("check", "environment", "stairs", code=1).out.splitlines()
    text = said[said.index("  broken   a fork goes its own way") + 1]
    assert text.startswith("           expected the snapshot before step 1, after its fork went on, to be b'")
    assert text.endswith("(task 'low stairs', seed 0)")


def test_a_model_is_called_seldom_unless_it_claims_to_be_repeatable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"models": {"echo": f"{broken_models.__name__}:Echo"}})
    *_, clauses, more, calls = printed("check", "model", "echo").splitlines()
    assert clauses == "8 clauses: 7 hold, 0 broken, 1 skipped"
    assert more.endswith("--repeatable")
    assert calls == "7 calls made"
    assert "16 clauses: 15 hold" in printed("check", "model", "echo", "--repeatable")


@pytest.mark.slow
def test_options_are_set_as_for_a_run() -> None:
    assert main(["check", "method", "adapt", "--set", "method.max_depth=2"]) == 0
    assert "8 clauses: 7 hold" in printed("check", "model", "scripted", "--set", "model.completions=['I am a script.']")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("environment textcart", "environment: expected 'textcraft', got 'textcart'"),
        ("method reakt", "method: expected 'react', got 'reakt'"),
        ("environment textcraft --set environment.recipe=x", "expected 'environment.recipes', got an unknown key"),
        ("environment textcraft --set environment.recipes=3", "got 3 (--set environment.recipes=3)"),
        ("environment textcraft --actions nowhere.json", "--actions: expected a file, got No such file or directory"),
        ("environment textcraft --task beehiv", "task: expected one such as beehive"),
        (
            "method react --actions actions.json",
            "--actions: expected with `check environment` only, got `check method`",
        ),
        ("method react --repeatable", "--repeatable: expected with `check model` only, got `check method`"),
        ("method react --set method.max_steps=0", "method.max_steps: expected >= 1, got 0 (--set method.max_steps=0)"),
        ("model sim-weak --set model.tempo=1", "model.tempo: expected"),
        ("model sim-weak --set model.max_tokens=0", "model.max_tokens: expected >= 1, got 0"),
        ("model scripted", "scripted: expected completions or a script"),
    ],
)
def test_a_subject_that_cannot_be_checked_is_a_usage_error(arguments: str, said: str) -> None:
    assert said in refused("check", *arguments.split())


def test_a_file_that_is_no_list_of_actions_is_a_usage_error(tmp_path: Path) -> None:
    actions = tmp_path / "actions.json"
    actions.write_text('{"actions": 1}')
    err = refused("check", "environment", "textcraft", "--actions", actions)
    assert "--actions: expected a JSON list of actions, got something else" in err


def test_a_name_that_two_distributions_bring_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"environments": {"textcraft": f"{broken_environments.__name__}:Stairs"}})
    err = refused("check", "environment", "textcraft")
    assert "expected one distribution to bring it, got quintet-agents and acme 1.0" in err
