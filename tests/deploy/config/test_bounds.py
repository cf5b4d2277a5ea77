"""Settings that are too deep, too long or too many are refused at once, with what was expected and where."""

from pathlib import Path

import pytest

from quintet.config.settings import from_assignments, from_environment, from_file
from quintet.errors import UsageError
from quintet.quota.prices import read_prices
from tests.command import refused

DEEP = {
    "lists": "model.extra.a = " + "[" * 5_000 + "]" * 5_000,
    "unclosed lists": "a = " + "[" * 100_000,
    "tables": "a = " + "{b = " * 300 + "1" + "}" * 300,
    "a dotted key": ".".join("a" * 200_000) + " = 1",
    "a dotted table": "[" + ".".join("a" * 200_000) + "]",
    "a dotted key within a table": "a = {" + " . ".join("b" * 50_000) + " = 1}",
    "just too deep": ".".join("a" * 33) + " = 1",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_toml_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"--config: expected TOML, got .*more than 32 deep \(.*deep\.toml\)"):
        from_file(file)
    with pytest.raises(UsageError, match=r"prices: expected TOML, got .*more than 32 deep"):
        read_prices(file)


def test_the_deepest_allowed_setting_is_read(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(".".join("a" * 32) + " = 1")
    assert list(from_file(file)) == [".".join("a" * 32)]


def test_a_deep_value_of_a_flag_or_a_variable_is_refused() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    with pytest.raises(UsageError, match="expected a value of at most 32 levels"):
        from_assignments([f"run.tasks={deep}"])
    with pytest.raises(UsageError, match=r"expected a value of at most 32 levels, .*\(QUINTET_RUN__TASKS\)"):
        from_environment({"QUINTET_RUN__TASKS": deep})


def test_a_long_line_of_no_setting_takes_linear_time(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(f'note = """\n{" " * 500_000}\n{"a" * 400_000}"""\nrun.seed = 3\n')
    assert from_file(file)["run.seed"].where.endswith("line 4")


def test_a_file_of_settings_that_never_ends_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text("#" * (2**20 + 1))
    with pytest.raises(UsageError, match="expected at most 1,048,576 bytes, got more"):
        from_file(file)


REFUSED = {
    "a script that never ends": (
        ["--model", "scripted", "--set", "model.script=/dev/zero"],
        "script: expected at most 67,108,864 bytes, got more (/dev/zero",
    ),
    "a whole number with a point": (["--set", "run.epochs=2.0"], "run.epochs: expected a whole number, got 2.0"),
    "a huge number with an exponent": (
        ["--set", "run.seed=1e300"],
        "run.seed: expected an integer of fewer digits, got 1e+300",
    ),
    "a method's number with a point": (
        ["--set", "method.max_steps=4.0"],
        "method.max_steps: expected a whole number, got 4.0",
    ),
    "a huge number as text": (
        ["--set", 'run.seed="99999999999"'],
        "run.seed: expected at most 2,147,483,647, got '99999999999'",
    ),
    "more episodes than memory": (
        ["--epochs", "10000000"],
        "run.epochs: expected at most 1000000, which with 1 tasks makes 1,000,000 episodes, got 10000000",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_a_number_above_the_greatest_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    command = ["eval", "react", "textcraft", "--tasks", "1", *arguments, "--out", str(tmp_path / "run")]
    assert message in refused(*command)
    assert not (tmp_path / "run").exists()


def test_a_prompt_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "textcraft").mkdir()
    (tmp_path / "textcraft" / "execute.txt").symlink_to("/dev/zero")
    command = ["eval", "react", "textcraft", "--set", f"method.prompts={tmp_path}", "--out", str(tmp_path / "run")]
    assert "prompt: expected at most 1,048,576 bytes, got more" in refused(*command)


def test_actions_that_never_end_are_refused() -> None:
    err = refused("check", "environment", "textcraft", "--actions", "/dev/zero")
    assert "--actions: expected at most 1,048,576 bytes, got more" in err


def test_a_study_of_too_many_seeds_is_refused() -> None:
    assert "--seeds: expected 1 to 1,000, got 10,000,000" in refused("study", "autoplan-figure3", "--seeds", "10000000")
