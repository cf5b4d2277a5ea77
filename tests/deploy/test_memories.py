"""Whole runs with a memory: killed while they learn it, shown it under every method, with a user's prompt, resumed."""

import sqlite3
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quintet.api import open_run
from quintet.errors import UsageError
from quintet.launch.evaluation import open_evaluation, run_left
from quintet.launch.writable_run import WritableRun
from quintet.memory.schema import MEMORY_FILE
from quintet.memory.store import Store
from quintet.messages.memory import MemoryTuple
from quintet.messages.paths import attempt_of
from quintet.messages.prompts import Prompt
from quintet.messages.store import NamedType, StoreTuples
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Sampling
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.testing.content import Content, content_of
from tests.command import command

LEARNING: dict[str, Any] = {"tasks": 6, "batch": 2, "goals": 2}


class Broken:
    """A model with a bug."""

    name = "broken"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise KeyError("no such key")


@pytest.mark.real_time
async def test_an_episode_is_not_repeated_with_a_version_that_is_lost_and_not_built_again_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The executor's model has a bug, so episodes fault; forming asks another model."""
    monkeypatch.setattr(catalogue, "MODELS", {**catalogue.MODELS, "broken": f"{__name__}:Broken"})
    folder = tmp_path / "run"
    settings = {
        "run": {"learn": True, "keep_going": True},
        "learning": LEARNING,
        "model": {"memory": {"name": "sim-strong"}},
    }

    async def learn() -> None:
        opening = open_run("ldm2", "textcraft", model="broken", tasks=1, settings=settings, journal=folder)
        async with opening as run, aclosing(run.run(run.left())) as ends:
            async for end in ends:
                if end.state == "faulted" and attempt_of(end.path).epoch == 1:
                    return

    await learn()
    (folder / MEMORY_FILE).unlink()

    with WritableRun.open(folder) as run:
        async with open_evaluation(run) as evaluation:
            with pytest.raises(
                UsageError, match=r"expected version 1, .* got up to 0; resume the run without --faulted"
            ):
                evaluation.left(retry_faulted=True)
        assert await run_left(run, RunCounters()) == "faulted"
        async with open_evaluation(run) as evaluation:
            assert len(evaluation.left(retry_faulted=True)) > 1


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
