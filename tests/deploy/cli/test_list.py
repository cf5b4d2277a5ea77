"""`list`, `ls` and `new`: what there is, which runs there are, and a package to begin with."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.cli.list import list_lines
from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from tests.command import command, refused
from tests.deploy import samples
from tests.deploy.pupil import enroll
from tests.deploy.samples import Went
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


def test_every_setting_is_listed_with_its_default_its_meaning_and_when_it_can_be_changed() -> None:
    listed = [line for line in list_lines("settings").splitlines() if "." in line.partition(" [")[0].partition(":")[0]]
    settings = [line.strip() for line in listed if not line.startswith("[")]
    assert [line for line in settings if ": " not in line] == []
    marks = {line.split()[0].rstrip(":"): re.findall(r" \[([^]]*)\]", line.partition(": ")[0]) for line in settings}
    assert marks["limits.budget_usd"] == marks["limits.pace.calls"] == ["resume, ctl"]
    assert marks["limits.step_seconds"] == marks["runtime.env.pip"] == marks["model.url"] == ["resume"]
    assert marks["method.name"] == marks["model.temperature"] == marks["run.seed"] == []
    assert {key.partition(".")[0] for key in marks} == set(RunConfig.model_fields)
    assert list_lines("settings", ["limits"]).startswith(
        "[limits]\n  limits.model_seconds = 120.0 [resume]: Of one attempt"
    )


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


def test_runs_are_listed_with_state_and_progress(tmp_path: Path) -> None:
    record = samples.record("react", ("beehive", "cake"))
    samples.write(tmp_path / "runs" / "a", record, {"beehive": Went()})
    said = command("ls", tmp_path, code=0)
    [row] = [line.split() for line in said.out.splitlines() if line.startswith("runs/a")]
    assert row == ["runs/a", "react", "on", "textcraft", "interrupted", "1/2", "100", "0", "110", "-", "-"]
    [entry] = json.loads(command("ls", tmp_path, "--json").out)
    assert (entry["path"], entry["state"], entry["ended"], entry["episodes"], entry["eta_seconds"]) == (
        str(tmp_path / "runs" / "a"),
        "interrupted",
        1,
        2,
        None,
    )


def test_a_folder_without_runs_says_so(tmp_path: Path) -> None:
    assert command("ls", tmp_path).out == f"no runs in {tmp_path} or up to three folders below\n"
    assert command("ls", tmp_path, "--json").out == "[]\n"
    command("ls", tmp_path / "none", code=2)


KINDS = ("method", "environment", "role", "model")


def write(kind: str, folder: Path) -> Path:
    assert str(folder / "README.md") in command("new", kind, folder, code=0).err
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_named_by_the_folder(kind: str, tmp_path: Path) -> None:
    folder = write(kind, tmp_path / "two_Words")
    texts = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}
    assert "two_words/__init__.py" in texts
    assert 'name = "two-words"' in texts["pyproject.toml"]
    assert any("class TwoWords" in text for text in texts.values())
    assert not [name for name, text in texts.items() for word in ("new_name", "NewName", "new-name") if word in text]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("method {}/full", "folder: expected a new or empty one, got one with something in it"),
        ("method {}/full/file/below", "folder: expected a folder that can be made, got Not a directory"),
        ("method {}/1st", "folder: expected a name of letters, digits, '-' and '_', got '1st'"),
        ("method {}/json", "folder: expected a name that no other module has, got 'json'"),
        ("method {}/msgspec", "folder: expected a name that no other module has, got 'msgspec'"),
        ("method {}/class", "folder: expected a name that is no word of Python's own, got 'class'"),
        ("model {}/none", "folder: expected a name that is no word of Python's own, got 'none'"),
        ("environment {}/world", "folder: expected a name that what is written does not use itself, got 'world'"),
        ("role {}/adapt", "folder: expected a name of its own, got 'adapt', which is quintet.methods.adapt"),
        ("planner {}/mine", 'Choose from: "method", "environment", "role", "model".'),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused(arguments: str, error: str, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    assert error in refused("new", *arguments.format(tmp_path).split())
    assert {file.name for file in tmp_path.rglob("*")} == {"full", "file"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_its_own_tests_and_type_checkers_pass_and_its_readmes_commands_work(kind: str, tmp_path: Path) -> None:
    folder = write(kind, tmp_path / "my-own")

    def run(program: str, *words: str) -> str:
        done = subprocess.run(
            [Path(sys.executable).with_name(program), *words],
            cwd=folder,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{program} {words}\n{done.stdout}{done.stderr}"
        return done.stdout

    tested = run("pytest", "-q", "-p", "no:cacheprovider")
    assert " passed" in tested
    assert "skipped" not in tested
    run("mypy", "--strict", "--cache-dir", str(tmp_path / "mypy"), "my_own", "tests")
    run("ruff", "check", "--no-cache", "--select", "E,F,I", ".")
    run("ruff", "format", "--no-cache", "--check", ".")
    commands = [line.split() for line in (folder / "README.md").read_text().splitlines() if "    quintet eval" in line]
    assert commands
    for number, (_, *words) in enumerate(commands):
        if "NAME" not in words and f"{folder.name}" not in words:  # a model to be named, and what is to be installed
            run("quintet", *words, "--out", str(tmp_path / str(number)))
