"""`quintet prompts`: listing, copying and comparing; and running with what was copied, in a world without prompts."""

import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from quintet.methods.react.react import React
from quintet.plugins.prompts import worlds_of
from tests.command import printed, refused
from tests.distributions import install, use_site

PLUGIN = Path(__file__).parents[3] / "examples" / "plugin"


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that brings no prompts."""
    use_site(PLUGIN, monkeypatch, "quintet_lamps")
    install(tmp_path / "site", monkeypatch, {"environments": {"lamps": "quintet_lamps.lamps:Lamps"}})


def prompts(*words: object) -> str:
    return printed("prompts", *words)


def test_every_prompt_is_listed_with_its_reader_and_its_folder() -> None:
    listed = {line.split()[0]: line for line in prompts("list", "adapt", "alfworld").splitlines() if line}
    assert listed["decompose.skills"].split()[1] == "planner"
    assert listed["decompose"].endswith("adapt/prompts/alfworld")
    assert listed["recall"].endswith("memory/prompts")


def test_an_optional_prompt_is_listed_where_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_site(PLUGIN.parent, monkeypatch, "debate")
    install(tmp_path, monkeypatch, {"methods": {"debate": "debate:Debate"}})
    (line,) = [line for line in prompts("list", "debate", "textcraft").splitlines() if line.startswith("skeptic")]
    assert line.split()[1] == "skeptic"
    assert line.endswith("none, optional")


def test_copies_differ_from_the_methods_only_where_they_were_edited(tmp_path: Path) -> None:
    copied = prompts("copy", "adapt", "alfworld", tmp_path)
    assert f"5 prompts in {tmp_path}/alfworld; to run with them: --set method.prompts={tmp_path}" in copied
    assert prompts("diff", "adapt", "alfworld", tmp_path) == "0 prompts of yours; 5 as the method has them\n"
    with (tmp_path / "alfworld" / "decompose.txt").open("a") as file:
        file.write("Be brief.\n")
    shown = prompts("diff", "adapt", "alfworld", tmp_path)
    assert "+Be brief.\n1 prompt of yours; 4 as the method has them\n" in shown
    assert f"+++ {tmp_path}/alfworld/decompose.txt" in shown
    assert str(tmp_path) in prompts("list", "adapt", "alfworld", tmp_path)


def test_a_file_of_ones_own_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "textcraft").mkdir()
    (tmp_path / "textcraft" / "execute.txt").write_text("Mine.")
    said = refused("prompts", "copy", "react", "textcraft", tmp_path)
    assert "expected no file, or the same text, got another in" in said
    assert [file.name for file in (tmp_path / "textcraft").iterdir()] == ["execute.txt"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "adapt(react)", "textcraft"), "expected one method, got 'react' too"),
        (("list", "recat", "textcraft"), "method: expected 'react', got 'recat'"),
        (("list", "react", "textcarft"), "environment: expected 'textcraft', got 'textcarft'"),
        (("diff", "react", "textcraft", "nowhere"), "prompts: expected text files in "),
        (("copy", "react", "textcraft", "mine", "--from", "lamp"), "environment: expected "),
    ],
)
def test_what_cannot_be_found_is_said(words: tuple[str, ...], said: str) -> None:
    assert said in refused("prompts", *words)


@pytest.mark.usefixtures("lamps")
def test_a_method_without_plain_prompts_is_refused_with_every_place_that_was_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "react" / "prompts"
    (own / "textcraft").mkdir(parents=True)
    (own / "textcraft" / "execute.txt").write_text("Craft.")
    monkeypatch.setattr(React, "prompt_folders", (own,))
    said = refused("eval", "react", "lamps", "--tasks", "1", "--out", tmp_path / "run")
    assert f"prompts of react for lamps: expected execute.txt in one of {own}/lamps, " in said
    assert "begin with quintet prompts copy react lamps DIR --from textcraft, and name them by" in said
    assert "--set method.prompts=DIR" in said
    assert "missing, for you to write: execute.txt" in prompts("list", "react", "lamps")
    assert "lamps" not in worlds_of(React)


@pytest.mark.usefixtures("lamps")
def test_a_world_without_prompts_is_played_by_plain_ones_and_one_s_own_replace_them_one_by_one(tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "lamps"
    mine.mkdir(parents=True)
    (mine / "demonstrations.txt").write_text("Goal: light the lamps.\nAction: turn on lamp 1\nIt is on.")
    flags = ("--tasks", "1", "--out", tmp_path / "run", "--set", f"method.prompts={mine.parent}")
    assert f"own prompts: demonstrations ({mine})" in printed("eval", "react", "lamps", *flags)
    assert "methods/react/prompts/plain" in prompts("list", "react", "lamps", mine.parent)
    record = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert set(record["prompts"]) == {"demonstrations", "execute"}


def test_a_missing_prompt_names_a_method_that_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(React, "prompt_folders", (tmp_path,))
    said = refused("eval", "react", "textcraft", "--tasks", "1", "--dry-run")
    assert re.search(
        r"found none; standard has \S+/prompts/textcraft/execute\.txt; to write your own, begin with", said
    )


@pytest.mark.usefixtures("lamps")
def test_with_copied_prompts_a_method_acts_in_a_world_of_ones_own_and_the_run_says_whose_they_are(
    tmp_path: Path,
) -> None:
    mine, run = tmp_path / "mine", tmp_path / "run"
    prompts("copy", "react", "lamps", mine, "--from", "textcraft")
    flags = ("--model", "sim-strong", "--tasks", "1", "--set", f"method.prompts={mine}", "--out", run)
    ran = printed("eval", "react", "lamps", *flags)
    assert f"own prompts: demonstrations, execute, rules, subgoals ({mine}/lamps)" in ran
    record = msgspec.json.decode((run / "run.json").read_bytes())
    assert record["own_prompts"]["execute"] == f"{mine}/lamps/execute.txt"


@pytest.mark.usefixtures("lamps")
def test_a_world_brings_prompts_for_a_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = import_module("quintet_lamps.lamps").Lamps
    monkeypatch.setattr(lamps, "prompt_folder", tmp_path / "prompts", raising=False)
    (tmp_path / "prompts" / "react").mkdir(parents=True)
    (tmp_path / "prompts" / "react" / "execute.txt").write_text("Light the lamps.")
    assert "lamps" in worlds_of(React)
    ran = printed("eval", "react", "lamps", "--tasks", "1", "--out", tmp_path / "run")
    assert "own prompts" not in ran
    assert f"{tmp_path}/prompts/react" in prompts("list", "react", "lamps")
