"""Whole runs that are shown a memory: under every method with an executor, with a user's prompt, and resumed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.store import NamedType, StoreTuples
from quintet.runs.run_folder import RunFolder
from quintet.testing.content import Content, content_of
from tests.command import command

EXAMPLES = "Examples from other tasks, of what was done in situations like this one:"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """Two types of goals, each with two types of observations."""
    made = tuple(
        MemoryTuple(
            goal=f"craft {thing}",
            evaluation=f"subgoal 1: get {part} - incomplete",
            summary="Nothing was done yet.",
            observation=seen,
            action=f"get 2 {part}",
            goal_type=goal_type,
            observation_type=observation_type,
        )
        for goal_type, (thing, part) in enumerate((("bowl", "oak logs"), ("iron bars", "iron ingot")), 1)
        for observation_type, seen in enumerate((f"Crafting commands: craft 1 {thing}", f"Got 1 {part}"), 1)
    )
    types = (
        *(NamedType(number=number, name=name) for number, name in enumerate(("wood", "metal"), 1)),
        *(
            NamedType(number=number, name=name, goal_type=goal_type)
            for goal_type in (1, 2)
            for number, name in enumerate(("the commands", "what was fetched"), 1)
        ),
    )
    store = Store(tmp_path / "given.sqlite", world="textcraft")
    store.add(StoreTuples(version=0, batch=1, place=0, processes=(made,), types=types))
    store.seal(0)
    store.close()
    return tmp_path / "given.sqlite"


def evaluate(method: str, memory: Path, out: Path, *more: str) -> RunFolder:
    run = ("eval", method, "textcraft", "--model", "sim-strong", "--tasks", "stick,lantern", "--memory", memory)
    said = command(*run, "--out", out, *more)
    assert said.code == 0, said.err
    return RunFolder.open_to_read(out)


def rows(out: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(out / "journal.sqlite")) as journal:
        return list(journal.execute(query))


def content(out: Path) -> Content:
    journal = RunFolder.open_to_read(out).read_journal()
    assert journal is not None
    return content_of(journal.records())


@pytest.mark.parametrize("method", ["react", "adapt", "autoplan", "search", "reflexion"])
def test_a_method_is_shown_a_memory_unchanged(method: str, memory: Path, tmp_path: Path) -> None:
    evaluate(method, memory, tmp_path / "run")
    recalled = rows(tmp_path / "run", "SELECT ids FROM recalls")
    assert any(msgspec.json.decode(str(ids)) for (ids,) in recalled)
    shown = rows(tmp_path / "run", f"SELECT content FROM prompts WHERE content LIKE '%{EXAMPLES}%'")
    assert all(str(text).count(EXAMPLES) == 1 for (text,) in shown)
    assert shown
    assert rows(tmp_path / "run", "SELECT DISTINCT phase FROM calls WHERE phase = 'index'")


def test_the_conversation_says_what_was_recalled(memory: Path, tmp_path: Path) -> None:
    evaluate("react", memory, tmp_path / "run")
    said = command("show", tmp_path / "run", "stick").out
    assert "recalled 1 tuple of version 0, batch 1, goal type" in said


def test_a_user_s_prompt_replaces_the_role_s_and_is_in_the_record(memory: Path, tmp_path: Path) -> None:
    own = tmp_path / "prompts" / "textcraft"
    own.mkdir(parents=True)
    (own / "recall.txt").write_text("Which type, please?\n{form index}\n[2]: why\n{end}\n")
    usual = evaluate("react", memory, tmp_path / "usual").record.prompts
    other = evaluate("react", memory, tmp_path / "run", f"--set=method.prompts={own.parent}").record.prompts
    assert {name for name in usual if usual[name] != other[name]} == {"recall"}
    assert {"classify", "recall"} <= set(usual)
    assert rows(tmp_path / "run", "SELECT 1 FROM prompts WHERE content LIKE 'Which type, please?%'")


def test_a_prompt_that_no_request_of_the_run_needs_is_refused(memory: Path, tmp_path: Path) -> None:
    own = tmp_path / "prompts" / "textcraft"
    own.mkdir(parents=True)
    (own / "summarize.txt").write_text("Sum it up.")
    run = ("eval", "react", "textcraft", "--tasks", "stick", "--memory", memory, "--out", tmp_path / "run")
    said = command(*run, f"--set=method.prompts={own.parent}")
    assert said.code == 2
    assert "got 'summarize.txt'" in said.err


def test_a_run_that_stopped_while_it_recalled_goes_on_to_the_same_content(memory: Path, tmp_path: Path) -> None:
    evaluate("react", memory, tmp_path / "whole")
    whole = content(tmp_path / "whole")
    calls = len(rows(tmp_path / "whole", "SELECT id FROM calls"))
    run = ("eval", "react", "textcraft", "--model", "sim-strong", "--tasks", "stick,lantern", "--memory", memory)
    out = tmp_path / "run"
    said = command(*run, "--out", out, "--budget-tokens", "12000")
    assert said.code == 3, said.err
    left = len(rows(out, "SELECT id FROM calls"))
    assert 0 < left < calls
    said = command("resume", out, "--budget-tokens", "100000000")
    assert said.code == 0, said.err
    assert content(out) == whole
    assert len(rows(out, "SELECT id FROM calls")) == calls
