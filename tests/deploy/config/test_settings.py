"""Settings from files, variables and flags: what is refused says its place, and no key reaches a message or a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quintet.cli import main
from quintet.config.sections import ModelSettings
from quintet.config.settings import (
    Setting,
    from_assignments,
    from_environment,
    from_file,
    nest,
    parse_value,
    with_split_names,
)
from quintet.errors import UsageError
from quintet.quota.prices import read_prices
from quintet.roles.executor import EXECUTOR_ROLE
from tests.command import command, refused


def _file(folder: Path, text: str) -> Path:
    file = folder / "adapt.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_key_of_a_file_knows_its_line(tmp_path: Path) -> None:
    text = """\
# a comment = nothing
[method]
max_depth = 3  # of recursion

[model]
temperature = 0.7
planner = { name = "sim-strong" }
[model.executor]
"name" = "sim-weak"
run.tasks = ["a", "b"]
"""
    settings = from_file(_file(tmp_path, text))
    lines = {key: setting.where.rpartition(" ")[2] for key, setting in settings.items()}
    assert lines == {
        "method.max_depth": "3",
        "model.temperature": "6",
        "model.planner.name": "7",
        "model.executor.name": "9",
        "model.executor.run.tasks": "10",
    }
    assert settings["method.max_depth"].value == 3


def test_a_long_line_of_no_setting_takes_linear_time(tmp_path: Path) -> None:
    file = _file(tmp_path, f'note = """\n{" " * 500_000}\n{"a" * 400_000}"""\nrun.seed = 3\n')
    assert from_file(file)["run.seed"].where.endswith("line 4")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "windows.toml"
    file.write_text("run.seed = 3\n", encoding="utf-8-sig")
    assert from_file(file) == {"run.seed": Setting(3, f"{file}, line 1")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"expected a readable TOML file, got No such file .*adapt\.toml"),
        (b"[method]\nmax_depth 3\n", r"expected TOML, got .*line 2.*adapt\.toml"),
        (b"name = '\xe9'", "expected a readable TOML file, got bytes that are not UTF-8"),
        (b"seed = " + b"9" * 5000, r"--config: expected TOML, got .*4300.*adapt\.toml"),
        (b"#" * (2**20 + 1), "expected at most 1,048,576 bytes, got more"),
    ],
    ids=["no file", "no TOML", "no UTF-8", "a number too long for Python", "a file that never ends"],
)
def test_a_file_that_cannot_be_read_is_refused(content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "adapt.toml").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        from_file(tmp_path / "adapt.toml")


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
    file = _file(tmp_path, text)
    for read, key in ((from_file, "--config"), (read_prices, "prices")):
        with pytest.raises(UsageError, match=rf"{key}: expected TOML, got .*more than 32 deep \(.*adapt\.toml\)"):
            read(file)


def test_the_deepest_allowed_setting_is_read_and_a_deeper_value_is_refused(tmp_path: Path) -> None:
    assert list(from_file(_file(tmp_path, ".".join("a" * 32) + " = 1"))) == [".".join("a" * 32)]
    deep = "[" * 5_000 + "]" * 5_000
    with pytest.raises(UsageError, match="expected a value of at most 32 levels"):
        from_assignments([f"run.tasks={deep}"])
    with pytest.raises(UsageError, match=r"expected a value of at most 32 levels, .*\(QUINTET_RUN__TASKS\)"):
        from_environment({"QUINTET_RUN__TASKS": deep})


def test_only_variables_with_the_prefix_are_settings() -> None:
    variables = {"QUINTET_MODEL__PLANNER__NAME": "sim-strong", "QUINTET_RUN__SEED": "3", "HOME": "/root"}
    assert from_environment(variables) == {
        "model.planner.name": Setting("sim-strong", "QUINTET_MODEL__PLANNER__NAME"),
        "run.seed": Setting(3, "QUINTET_RUN__SEED"),
    }


def test_an_assignment_needs_a_value_which_may_have_an_equals_sign() -> None:
    assert from_assignments(["model.note=a=b"])["model.note"].value == "a=b"
    with pytest.raises(UsageError, match=r"--set: expected key=value, got 'method\.max_depth'"):
        from_assignments(["method.max_depth"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("true", True),
        ('"3"', "3"),
        ('["a", "b"]', ["a", "b"]),
        ("sim-weak", "sim-weak"),
        ("2024-01-01", "2024-01-01"),
        ("1\nother = 2", "1\nother = 2"),
        ("", ""),
    ],
)
def test_a_text_is_the_toml_value_it_looks_like_or_itself(text: str, value: object) -> None:
    assert parse_value(text, "--set a") == value


def test_a_key_that_is_a_value_and_a_table_is_refused() -> None:
    with pytest.raises(UsageError, match=r"model\.name\.x: expected no value for 'name' itself, got 'sim' \(--set b\)"):
        nest({"model.name": Setting("sim", "--set a"), "model.name.x": Setting(1, "--set b")})
    with pytest.raises(UsageError, match=r"model\.name: expected a table, got 'sim' \(--set a\)"):
        nest({"model.name.x": Setting(1, "--set b"), "model.name": Setting("sim", "--set a")})


def test_names_with_a_colon_are_split_where_their_factory_names_an_option() -> None:
    given = {"model.name": "bridge:openai/o3", "model.planner.name": "gpt-4.1:x", "environment.name": "gym:ID"}
    found = with_split_names({key: Setting(value, "here") for key, value in given.items()})
    assert {key: setting.value for key, setting in found.items()} == {
        "model.name": "bridge",
        "model.id": "openai/o3",
        "model.planner.name": "gpt-4.1:x",
        "environment.name": "gym",
        "environment.id": "ID",
    }


def test_the_family_of_a_bridged_model_is_that_of_what_follows_the_colon() -> None:
    bridged = ModelSettings.model_validate({"name": "bridge", "id": "openai/o3"})
    assert bridged.longest(EXECUTOR_ROLE) == 8_192
    assert ModelSettings(name="gpt-4.1-mini").longest(EXECUTOR_ROLE) == EXECUTOR_ROLE.completion_tokens


def _endless_prompt(folder: Path) -> None:
    (folder / "textcraft").mkdir()
    (folder / "textcraft" / "execute.txt").symlink_to("/dev/zero")


def _nothing(_: Path) -> None:
    pass


EVAL = ["eval", "react", "textcraft", "--tasks", "1", "--out", "{folder}/run"]
ENDLESS: dict[str, tuple[list[str], Callable[[Path], None], str]] = {
    "a script": (
        [*EVAL, "--model", "scripted", "--set", "model.script=/dev/zero"],
        _nothing,
        "script: expected at most 67,108,864 bytes, got more (/dev/zero",
    ),
    "a prompt": (
        [*EVAL, "--set", "method.prompts={folder}"],
        _endless_prompt,
        "prompt: expected at most 1,048,576 bytes, got more",
    ),
    "actions": (
        ["check", "environment", "textcraft", "--actions", "/dev/zero"],
        _nothing,
        "--actions: expected at most 1,048,576 bytes, got more",
    ),
    "episodes": (
        [*EVAL, "--epochs", "10000000"],
        _nothing,
        "run.epochs: expected at most 1000000, which with 1 tasks makes 1,000,000 episodes, got 10000000",
    ),
    "seeds": (
        ["study", "autoplan-figure3", "--seeds", "10000000"],
        _nothing,
        "--seeds: expected 1 to 1,000, got 10,000,000",
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_never_ends_is_refused_at_once(what: str, tmp_path: Path) -> None:
    words, make, said = ENDLESS[what]
    make(tmp_path)
    assert said in refused(*(word.format(folder=tmp_path) for word in words))
    assert not (tmp_path / "run").exists()


SECRET = "sk-hunter2-hunter2"
IN_CAPITALS = "SKHUNTER2HUNTER2"
URL = "http://127.0.0.1:9/v1"
ENDPOINT = ["--model", "m", "--model-url", URL]
WRONG = {
    "a key in place of its variable": [*ENDPOINT, "--set", f"model.key={SECRET}"],
    "a key in capitals": [*ENDPOINT, "--set", f"model.key={IN_CAPITALS}"],
    "a key in capitals of a model that no role calls": [
        *("--set", "model.planner.name=m", "--set", f"model.planner.url={URL}"),
        *("--set", f"model.planner.key={IN_CAPITALS}"),
    ],
    "a key of an embedder in place of its variable": [
        *("--set", "memory.source=memory.sqlite", "--set", "memory.embedder.name=m"),
        *("--set", f"memory.embedder.url={URL}", "--set", f"memory.embedder.key={SECRET}"),
    ],
    "a key in a list": [*ENDPOINT, "--set", f'model.key=["{SECRET}"]'],
    "a key in a table": [*ENDPOINT, "--set", f"model.key.value={SECRET}"],
    "a key of a model that takes none": ["--set", f"model.key={SECRET}"],
    "an unknown key": [*ENDPOINT, "--set", f"model.api_key={SECRET}"],
    "a secret in a field": [*ENDPOINT, "--set", f'model.extra={{api_key="{SECRET}"}}'],
    "a nested secret": [*ENDPOINT, "--set", f'model.extra={{metadata={{headers=[{{Authorization="{SECRET}"}}]}}}}'],
    "the key itself under another name": [*ENDPOINT, "--set", f"model.extra.note={SECRET}", "--set", "model.key=OURS"],
    "a secret in place of a table": [*ENDPOINT, "--set", f"model.extra=api_key:{SECRET}"],
    "a secret in a section's place": ["--set", f"model=api_key:{SECRET}"],
}


@pytest.mark.parametrize("arguments", WRONG.values(), ids=WRONG)
def test_a_misplaced_secret_is_refused_without_repeating_it(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OURS", SECRET)
    out = tmp_path / "run"
    said = command("eval", "react", "textcraft", "--tasks", "1", *arguments, "--out", out, code=2)
    assert "hunter2" not in (said.out + said.err).lower()
    assert "expected" in said.err
    assert not out.exists()


def test_a_misplaced_secret_in_a_file_is_refused_without_repeating_it(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(f'[model]\nname = "m"\nurl = "{URL}"\nextra = {{ a = {{ password = "{SECRET}" }} }}\n')
    said = refused("eval", "react", "textcraft", "--config", file, "--out", tmp_path / "run")
    assert "model.extra: expected no secret, since it is written down, got 'password' (not shown" in said
    assert "hunter2" not in said


def test_a_misplaced_secret_on_resume_is_refused_and_not_written_down(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert main(["eval", "react", "textcraft", "--tasks", "1", "--model", "sim-strong", "--out", str(run)]) == 0
    given = ["--set", "model.planner.name=m", "--set", f"model.planner.url={URL}"]
    assert "HUNTER2" not in refused("resume", run, *given, "--set", f"model.planner.key={IN_CAPITALS}")
    assert not [file for file in run.rglob("*") if file.is_file() and b"HUNTER2" in file.read_bytes()]
