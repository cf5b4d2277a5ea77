"""Prompt texts: where they are looked for, and what is recorded of them."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.messages.message import request_name
from quintet.methods.base.prompts import Prompts
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, required_prompts
from quintet.questions.shape import SHAPES
from quintet.roles.registry import default_prompts
from tests.actors.fakes import Kitchen


def write(folder: Path, name: str, text: bytes) -> Path:
    (folder / "kitchen").mkdir(parents=True, exist_ok=True)
    (folder / "kitchen" / f"{name}.txt").write_bytes(text)
    return folder


def test_the_first_folder_that_has_a_prompt_wins(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine", "execute", b"\nMine.\n\n")
    theirs = write(tmp_path / "theirs", "execute", b"Theirs.")
    write(theirs, "decompose", b"Plan.")
    prompts = Prompts([mine, theirs], "kitchen")
    assert prompts.text("execute") == "Mine."
    assert prompts.text("decompose") == "Plan."


def test_the_hashes_are_of_what_was_read(tmp_path: Path) -> None:
    prompts = Prompts([write(tmp_path, "execute", b"Act.")], "kitchen")
    assert prompts.hashes == {}
    prompts.text("execute")
    assert prompts.texts == {"execute": "Act."}
    before = prompts.hashes
    write(tmp_path, "execute", b"Act!")
    changed = Prompts([tmp_path], "kitchen")
    changed.text("execute")
    assert list(before) == ["execute"]
    assert changed.hashes != before


def test_a_missing_prompt_names_every_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a file decompose\.txt in one of .*kitchen, found none"):
        Prompts([tmp_path], "kitchen").text("decompose")


def test_a_world_whose_name_no_folder_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=rf"a folder that can be searched, got File name too long: 'x+.* \({tmp_path}\)"
    ):
        Prompts([tmp_path], "x" * 100_000)


def test_a_prompt_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected UTF-8 text, got byte 0xff"):
        Prompts([write(tmp_path, "execute", b"\xff")], "kitchen").text("execute")


def test_a_folder_or_an_empty_file_is_no_prompt(tmp_path: Path) -> None:
    (tmp_path / "kitchen" / "decompose.txt").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"expected a readable file, got Is a directory .*decompose\.txt"):
        Prompts([tmp_path], "kitchen").text("decompose")
    with pytest.raises(UsageError, match=r"expected text, got an empty file .*execute\.txt"):
        Prompts([write(tmp_path, "execute", b"\n \n")], "kitchen").text("execute")


@pytest.mark.parametrize(
    ("method", "forms"),
    [
        ("react", {"decision"}),
        ("adapt", {"plan"}),
        ("devils_advocate", {"decision", "steps"}),
        ("autoplan", {"thought", "action", "reflection", "task_plan"}),
    ],
)
@pytest.mark.parametrize("world", ["textcraft", "alfworld"])
def test_where_answers_are_json_a_method_prescribes_every_form_that_its_roles_are_asked_for(
    method: str, forms: set[str], world: str
) -> None:
    requests = catalogue.method(method).asks(learning=None if catalogue.method(method).learner is None else "reward")
    prompts = find_prompts(catalogue.method(method), world, forms=dict.fromkeys(map(request_name, requests), "schema"))
    for name in prompts.names:
        prompts.text(name)
    said = "\n".join(prompts.texts.values())
    assert {form for form, kind in SHAPES.items() if kind.prescribed in said} == forms


def test_a_form_line_is_filled_in_and_hashed_as_it_is_read(tmp_path: Path) -> None:
    write(tmp_path, "execute", b"Act.\n{form action}Say: what{end}\n")
    text, structured = Prompts([tmp_path], "kitchen"), Prompts([tmp_path], "kitchen", {"execute": "schema"})
    assert text.text("execute") == "Act.\nSay: what"
    assert structured.text("execute") == f"Act.\n{SHAPES['action'].prescribed}"
    assert text.hashes != structured.hashes


def test_a_prompt_holds_what_it_inserts_from_the_first_folder_that_has_it(tmp_path: Path) -> None:
    write(tmp_path, "execute", b"Act.\n\n{rules}\n")
    with pytest.raises(UsageError, match=r"expected rules\.txt in one of .*kitchen, found none .*execute\.txt"):
        Prompts([tmp_path], "kitchen").text("execute")
    (tmp_path / "rules.txt").write_text("\nStir.\n")
    theirs = Prompts([tmp_path], "kitchen", defaults=[tmp_path])
    assert theirs.text("execute") == "Act.\n\nStir."
    write(tmp_path / "mine", "rules", b"Boil.")
    mine = Prompts([tmp_path / "mine", tmp_path], "kitchen", defaults=[tmp_path])
    assert mine.text("execute") == "Act.\n\nBoil."
    assert theirs.hashes["execute"] != mine.hashes["execute"]


def test_an_unknown_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected \{form NAME\} with one of decision, .* got 'sonnet' .*\.txt"):
        Prompts([write(tmp_path, "execute", b"{form sonnet}Rhyme.{end}")], "kitchen").text("execute")


def test_a_role_s_own_prompt_is_taken_where_no_folder_has_one_for_the_world(tmp_path: Path) -> None:
    defaults = tmp_path / "role"
    defaults.mkdir()
    (defaults / "summarize.txt").write_text("{form summary}\nSummary: x\n{end}")
    (defaults / "form.txt").write_text("Sort them.")
    mine = write(tmp_path / "mine", "form", b"Sort.")
    prompts = Prompts([mine], "kitchen", {"summarize": "schema"}, [defaults])
    assert prompts.text("form") == "Sort."
    assert prompts.text("summarize") == SHAPES["summary"].prescribed
    assert prompts.names == ("form",)
    assert list(prompts.hashes) == ["form", "summarize"]


FORMS_OF_ROLES: Mapping[str, str] = {
    "form": "clusters",
    "form.observations": "clusters",
    "classify": "index",
    "recall": "index",
    "summarize": "summary",
    "summarize.evaluation": "evaluation",
    "align": "alignment",
    "judge": "verdict",
    "judge_attempt": "success",
    "review_attempt": "attempt_review",
    "revise_notes.review": "note_revisions",
    "revise_notes.pair": "note_revisions",
    "revise_notes.successes": "note_revisions",
    **dict.fromkeys((f"write_notes.{of}" for of in ("success", "failure", "contrast", "workflows")), "notes"),
    "give_answer": "answer",
    "condense": "condensed",
    "grade": "grade",
    "grade.reason": "grade",
    "answer_as_user": "user_answer",
    "retarget": "retargeted",
    "write_program": "program",
    "extract": "extracted",
}
WITHOUT_FORM = {"write_program.ask"}
"""Parts of prompts that have theirs."""


def test_every_prompt_of_a_role_has_a_form() -> None:
    assert {file.stem for folder in default_prompts() for file in folder.glob("*.txt")} == {
        *FORMS_OF_ROLES,
        *WITHOUT_FORM,
    }


@pytest.mark.parametrize(("name", "form"), FORMS_OF_ROLES.items())
def test_a_prompt_of_a_role_prescribes_its_form_in_lines_and_in_json(name: str, form: str) -> None:
    as_lines = Prompts([], "kitchen", {}, default_prompts()).text(name)
    as_json = Prompts([], "kitchen", {name.partition(".")[0]: "schema"}, default_prompts()).text(name)
    assert SHAPES[form].prescribed in as_json
    assert SHAPES[form].prescribed not in as_lines
    assert "{form" not in as_lines
    assert "{end}" not in as_lines


NOWHERE = "nowhere"
"""A world that brings nothing."""


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "WORLDS", {**catalogue.WORLDS, NOWHERE: "tests.actors.fakes:Kitchen"})


@pytest.mark.parametrize("name", catalogue.names("method"))
def test_every_method_has_plain_prompts_for_what_it_reads_in_its_own_worlds(name: str) -> None:
    method = catalogue.method(name)
    prompts = find_prompts(method, NOWHERE, forms=dict.fromkeys(map(request_name, method.requests), "schema"))
    examples = {"demonstrations", "skills"}
    assert set(prompts.names) == {each for each in find_prompts(method, "textcraft").names if each not in examples}
    assert all(prompts.text(each) for each in (*prompts.names, *required_prompts(method)))
    said = "\n".join(prompts.texts.values())
    assert not re.search(r"\{(?!n\})|craft|text world", said)


@pytest.mark.parametrize("world", ["textcraft", "alfworld", "hotpotqa", "webshop", "webarena"])
def test_a_world_with_prompts_for_every_method_is_played_by_its_own_alone(world: str) -> None:
    assert [name for name in catalogue.names("method") if find_prompts(catalogue.method(name), world).any_plain] == []


def test_what_a_world_brings_replaces_plain_prompts_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kitchen, "prompt_folder", tmp_path, raising=False)
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "value.txt").write_text("Mark it.\n{form value}Mark: 5{end}")
    (tmp_path / "rules.txt").write_text("Stir with a spoon.")
    prompts = find_prompts(catalogue.method("lats"), NOWHERE)
    assert prompts.text("value") == "Mark it.\nMark: 5"
    assert "Stir with a spoon." in prompts.text("decide")
    assert prompts.text("look_back") == find_prompts(catalogue.method("reflexion"), NOWHERE).text("look_back")


def test_a_prompt_that_serves_all_worlds_speaks_of_none() -> None:
    texts = [path.read_text() for folder in default_prompts() for path in folder.glob("*.txt")]
    assert texts
    assert not [text for text in texts if "text world" in text]
