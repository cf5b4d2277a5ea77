"""Prompt texts: where they are looked for, and what is recorded of them."""

from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.methods.base.prompts import Prompts
from quintet.parsing.forms import FORMS
from quintet.plugins import catalogue
from quintet.ports.model import AnswerForm


def write(folder: Path, name: str, text: bytes) -> Path:
    (folder / "kitchen").mkdir(parents=True, exist_ok=True)
    (folder / "kitchen" / f"{name}.txt").write_bytes(text)
    return folder


def test_the_first_folder_that_has_a_prompt_wins(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine", "executor", b"\nMine.\n\n")
    theirs = write(tmp_path / "theirs", "executor", b"Theirs.")
    write(theirs, "planner", b"Plan.")
    prompts = Prompts([mine, theirs], "kitchen")
    assert prompts.text("executor") == "Mine."
    assert prompts.text("planner") == "Plan."


def test_the_hashes_are_of_what_was_read(tmp_path: Path) -> None:
    prompts = Prompts([write(tmp_path, "executor", b"Act.")], "kitchen")
    assert prompts.hashes == {}
    prompts.text("executor")
    assert prompts.texts == {"executor": "Act."}
    before = prompts.hashes
    write(tmp_path, "executor", b"Act!")
    changed = Prompts([tmp_path], "kitchen")
    changed.text("executor")
    assert list(before) == ["executor"]
    assert changed.hashes != before


def test_a_missing_prompt_names_every_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a file planner\.txt in one of .*kitchen, found none"):
        Prompts([tmp_path], "kitchen").text("planner")


def test_a_prompt_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected UTF-8 text, got byte 0xff"):
        Prompts([write(tmp_path, "executor", b"\xff")], "kitchen").text("executor")


def test_a_folder_or_an_empty_file_is_no_prompt(tmp_path: Path) -> None:
    (tmp_path / "kitchen" / "planner.txt").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"expected a readable file, got Is a directory .*planner\.txt"):
        Prompts([tmp_path], "kitchen").text("planner")
    with pytest.raises(UsageError, match=r"expected text, got an empty file .*executor\.txt"):
        Prompts([write(tmp_path, "executor", b"\n \n")], "kitchen").text("executor")


@pytest.mark.parametrize(
    ("method", "forms"),
    [
        ("react", {"decision"}),
        ("adapt", {"decision", "plan"}),
        ("autoplan", {"thought", "action", "reflection", "task_plan"}),
    ],
)
@pytest.mark.parametrize("world", ["textcraft", "alfworld"])
def test_where_answers_are_json_a_method_prescribes_every_form_that_its_roles_are_asked_for(
    method: str, forms: set[AnswerForm], world: str
) -> None:
    folders = catalogue.method(method).prompt_folders
    prompts = Prompts(folders, world, FORMS)
    for name in {file.stem for folder in folders for file in (folder / world).glob("*.txt")}:
        prompts.text(name)
    said = "\n".join(prompts.texts.values())
    assert {form for form, kind in FORMS.items() if kind.prescribed in said} == forms


def test_a_form_line_is_filled_in_and_hashed_as_it_is_read(tmp_path: Path) -> None:
    write(tmp_path, "executor", b"Act.\n{form action}Say: what{end}\n")
    text, structured = Prompts([tmp_path], "kitchen"), Prompts([tmp_path], "kitchen", ["action"])
    assert text.text("executor") == "Act.\nSay: what"
    assert structured.text("executor") == f"Act.\n{FORMS['action'].prescribed}"
    assert text.hashes != structured.hashes


def test_a_form_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected \{form NAME\} with one of decision, .* got 'sonnet' .*\.txt"):
        Prompts([write(tmp_path, "executor", b"{form sonnet}Rhyme.{end}")], "kitchen").text("executor")
