"""The views have the content of the events, before and after an episode ends, and while the writer commits."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path as FilePath
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from quintet.events import (
    AnyEvent,
    CallMade,
    EpisodeEnded,
    NodeGrown,
    Published,
    Recalled,
    Record,
    SessionForked,
    SessionOpened,
    StepTaken,
)
from quintet.export.tables import EXPORTED_TABLES
from quintet.journal.codes import TABLE_OF
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.ports.model import Usage
from quintet.quota.prices import Price
from tests.deploy.journal.records import BELOW, EPISODE, append, call, record, step
from tests.protocols import strategies
from tests.simulation.virtual import run

TEXT = Prompt(system("You craft."), user("Goal."))


def read(file: FilePath, query: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as journal:
        journal.row_factory = sqlite3.Row
        return [dict(row) for row in journal.execute(query)]


def write(file: FilePath, records: Sequence[Record], prices: dict[str, Price] | None = None) -> None:
    with closing(SqliteJournal(file, prices=prices or {})) as journal:
        journal.begin(EPISODE)
        run(append(journal, records))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _fields(event: AnyEvent) -> tuple[str, dict[str, object]]:
    """The view that has an event, and what its columns show."""
    view = TABLE_OF.get(type(event), "_decisions")[1:]
    if view == "decisions":
        return view, {"kind": event.kind}
    shown = {name: getattr(event, name) for name in event.__struct_fields__ if name not in ("path", "turns")}
    match event:
        case CallMade(sampling=sampling, completion=completion):
            del shown["prompt"], shown["sampling"], shown["completion"]
            del shown["legibility"]  # the view `usage` counts it
            asked, said = asdict(sampling), asdict(completion)
            del asked["tools"]  # they follow from the task and what was done
            del said["tokens"], said["tool_answer"]  # views of their own
            shown |= {**asked, "stop": _json(sampling.stop), "completion": said.pop("text")}
            shown |= {**asdict(said.pop("usage")), **said}
        case StepTaken():
            shown["figures"] = _json(event.figures) if event.figures else None
        case SessionOpened():
            shown["origin"] = None
        case SessionForked():
            shown["observation"] = ""
        case Recalled():
            shown |= {"ids": _json(event.ids), "scores": _json(event.scores)}
        case Published():
            shown |= {"text": shown.pop("content"), "unchanged": 0, "chosen": None}
        case _:
            pass
    return view, shown


@settings(max_examples=40, deadline=None)  # files are written
@given(st.one_of(*map(strategies.of, [*BELOW, CallMade])), st.integers(0, 4_000_000_000))
def test_an_event_is_a_row_with_all_its_fields(event: AnyEvent, at: int) -> None:
    paths = [getattr(event, name, None) or "" for name in ("session", "origin", "tree", "solve")]
    assume("\0" not in "".join(paths))  # SQLite's functions end a text there
    event = replace(event, path=child(EPISODE, 3))
    prompts: tuple[Any, ...] = ()
    if isinstance(event, CallMade):
        event, prompts = replace(event, prompt=TEXT.node.address), TEXT.nodes_since(())
    view, fields = _fields(event)
    with tempfile.TemporaryDirectory() as folder:
        file = FilePath(folder) / "journal.sqlite"
        write(file, [record(event, at=at + 0.25, seconds=0.5, prompts=prompts)])
        (row,) = read(file, f"SELECT * FROM {view}")
        common = {"path": event.path, "episode": 1, "incarnation": 1, "host": "here", "at": at + 0.25, "seconds": 0.5}
        assert {name: row[name] for name in (*common, *fields)} == {**common, **fields}
        if view == "decisions":
            content = msgspec.to_builtins(event)
            assert json.loads(row["content"]) == {name: content[name] for name in content.keys() - {"type", "path"}}


def test_a_session_of_another_episode_is_shown_whole(tmp_path: FilePath) -> None:
    opened = SessionOpened(path=child(EPISODE, 1), session="~visit/0/0/4", observation="")
    write(tmp_path / "journal.sqlite", [record(opened)])
    assert [row["session"] for row in read(tmp_path / "journal.sqlite", "SELECT * FROM sessions")] == ["~visit/0/0/4"]


_PRICES = {"dear": Price(Decimal(10), Decimal(1), Decimal(100)), "free": Price(Decimal(0), Decimal(0), Decimal(0))}
_CALLS = (
    call(1, model="dear", usage=Usage(prompt_tokens=1_000, cached_tokens=600, completion_tokens=50)),
    call(2, model="dear", usage=Usage(prompt_tokens=1_000, completion_tokens=50), finish="length"),
    call(3, model="free", usage=Usage(prompt_tokens=9)),
    call(4, model="free", usage=Usage(prompt_tokens=4), phase="values"),
    call(5, model="free", phase="values", legibility="unread"),
    call(6, model="free", phase="values", legibility="free"),
)


@pytest.mark.parametrize("ended", [False, True])
def test_usage_is_the_same_before_and_after_the_end(tmp_path: FilePath, ended: bool) -> None:
    file = tmp_path / "journal.sqlite"
    end = record(EpisodeEnded(path=EPISODE, state="solved", reward=1.0))
    write(file, [*_CALLS, *([end] if ended else [])], _PRICES)
    names = ("model", "phase", "calls", "prompt_tokens", "cached_tokens", "completion_tokens", "unanswered")
    found = read(file, "SELECT * FROM usage ORDER BY model, phase")
    assert [[row[name] for name in names] for row in found] == [
        ["dear", "execute", 2, 2000, 600, 100, '{"length":1}'],
        ["free", "execute", 1, 9, 0, 0, None],
        ["free", "values", 3, 18, 0, 0, '{"unread":1,"free":1}'],
    ]
    (episode,) = read(file, "SELECT * FROM episodes")
    assert [episode[name] for name in ("calls", "prompt_tokens", "cached_tokens", "steps")] == [6, 2027, 600, 0]
    assert episode["usd"] == pytest.approx((1_400 * 10 + 600 * 1 + 100 * 100) / 1e6)
    assert episode["state"] == ("solved" if ended else "unfinished")


def test_a_model_without_a_price_makes_the_cost_unknown(tmp_path: FilePath) -> None:
    write(tmp_path / "journal.sqlite", _CALLS, {"free": _PRICES["free"]})
    assert [row["usd"] for row in read(tmp_path / "journal.sqlite", "SELECT * FROM episodes")] == [None]
    assert [row["usd"] for row in read(tmp_path / "journal.sqlite", "SELECT usd FROM usage ORDER BY model")] == [
        None,
        0,
        0,
    ]


def test_a_node_stands_as_its_last_event_says_and_trees_are_kept_apart(tmp_path: FilePath) -> None:
    grown = NodeGrown(path=child(EPISODE, 1), tree=EPISODE, node=0, parent=None, action="", session=f"{EPISODE}/1")
    inner = replace(grown, path=child(child(EPISODE, 3), 1), tree=child(EPISODE, 3))
    again = replace(grown, path=child(EPISODE, 2), visits=3, value=0.5, standing="chosen")
    write(tmp_path / "journal.sqlite", [record(event) for event in (grown, inner, again)])
    assert [
        (row["path"], row["tree"], row["visits"], row["value"], row["standing"])
        for row in read(tmp_path / "journal.sqlite", "SELECT * FROM nodes ORDER BY id")
    ] == [
        (inner.path, inner.tree, 0, None, "open"),
        (again.path, EPISODE, 3, 0.5, "chosen"),
    ]


def test_a_prompt_is_the_messages_up_to_its_last(tmp_path: FilePath) -> None:
    longer = TEXT.extend(assistant("Where?"), user("On."))
    write(tmp_path / "journal.sqlite", [call(1, TEXT), call(2, longer)])
    messages = {row["id"]: row for row in read(tmp_path / "journal.sqlite", "SELECT * FROM prompts")}
    found: list[list[str]] = []
    for row in read(tmp_path / "journal.sqlite", "SELECT prompt FROM calls ORDER BY id"):
        number, texts = row["prompt"], list[str]()
        while number is not None:
            texts.insert(0, f"{messages[number]['role']}: {messages[number]['content']}")
            number = messages[number]["parent"]
        found.append(texts)
    assert found == [
        ["system: You craft.", "user: Goal."],
        ["system: You craft.", "user: Goal.", "assistant: Where?", "user: On."],
    ]
    assert len(messages) == 4


def test_before_a_run_begins_every_view_is_empty(tmp_path: FilePath) -> None:
    SqliteJournal(tmp_path / "journal.sqlite").close()
    assert {view: read(tmp_path / "journal.sqlite", f"SELECT * FROM {view}") for view in EXPORTED_TABLES} == {
        view: [] for view in EXPORTED_TABLES
    }


_READER = """
import sqlite3, sys
journal = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, isolation_level=None)
first, *others = sys.argv[2:]
for _ in sys.stdin:
    journal.execute("BEGIN")
    journal.execute(f"SELECT * FROM {first}").fetchall()
    print("reads", flush=True)
    next(sys.stdin)
    for view in others:
        journal.execute(f"SELECT * FROM {view}").fetchall()
    (steps, rows), = journal.execute("SELECT coalesce(sum(steps), 0), (SELECT count(*) FROM steps) FROM episodes")
    assert steps == rows, (steps, rows)
    journal.execute("COMMIT")
    print(rows, flush=True)
"""


def test_another_process_reads_every_view_while_the_writer_commits(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    command = [sys.executable, "-c", _READER, str(file), *EXPORTED_TABLES]

    async def commit(reader: "subprocess.Popen[str]") -> list[int]:
        assert reader.stdin is not None
        assert reader.stdout is not None
        seen: list[int] = []
        journal.begin(EPISODE)
        for number in range(1, 2_001):
            if number % 100 == 50:
                print("begin", file=reader.stdin, flush=True)
                assert reader.stdout.readline() == "reads\n"
            await journal.append([step(number)])
            if number % 100 == 0:
                print("go on", file=reader.stdin, flush=True)
                seen.append(int(reader.stdout.readline()))
        return seen

    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        seen = asyncio.run(commit(reader))
        assert reader.stdin is not None
        reader.stdin.close()
        assert reader.wait() == 0
    journal.close()
    assert len(read(file, "SELECT id FROM steps")) == 2_000
    assert seen == [*range(49, 2_000, 100)], "each time what was there when it began, whatever was committed since"
