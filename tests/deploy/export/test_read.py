"""The rows of a run, its prompts, and its data frames: which attempts count, and what is refused."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.events import Decided, Record
from quintet.export import frames as frames_module
from quintet.export.frames import RunFrames
from quintet.export.prompt_reader import PromptReader
from quintet.export.read import ExportedRun, exported_runs, read_rows
from quintet.export.tables import EXPORTED_TABLES, TableName, exported
from quintet.journal.writer import SqliteJournal
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import VISIT, Path, child, episode_path
from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress, assistant, system, user
from quintet.plugins import extras
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.journal.records import append
from tests.deploy.samples import Went

_COUNTED: tuple[TableName, ...] = ("episodes", "calls", "sessions", "steps")


def _run(path: FilePath, went: dict[str, Went], *tasks: str) -> ExportedRun:
    (run,) = exported_runs(samples.write(path, samples.record("react", tasks or tuple(went)), went))
    return run


def _rows(run: ExportedRun, table: TableName) -> list[dict[str, Any]]:
    names = [column.name for column in exported(table)]
    with closing(read_rows(run)) as found:
        return [
            dict(zip(names, row, strict=True))
            for name, columns in found
            if name == table
            for row in zip(*columns, strict=True)
        ]


def _decide(journal: SqliteJournal, episode: Path, *, begin: bool = True) -> None:
    if begin:
        journal.begin(episode)
    event = Decided(path=child(episode, 99), question="which", answer="1")
    asyncio.run(append(journal, [Record(event=event, incarnation=1)]))


def test_rows_come_in_the_order_of_commits(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"cake": Went(calls=6), "beehive": Went()}, "beehive", "cake")
    assert [row["path"] for row in _rows(run, "episodes")] == ["cake/0/0", "beehive/0/0"]
    steps = [row for row in _rows(run, "steps") if row["episode"] == 1]
    assert [step["path"] for step in steps] == [f"cake/0/0/2/{number}" for number in (2, 4, 6, 8, 10, 12)]
    assert [step["id"] for step in steps] == sorted(step["id"] for step in steps)


def test_all_attempts_are_there_and_the_newest_counts(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went("faulted")})
    samples.journal(run.folder, {"beehive": Went()}, attempt=1)
    found = _rows(run, "episodes")
    assert [(row["attempt"], row["newest"], row["counts"], row["state"]) for row in found] == [
        (0, 0, 0, "faulted"),
        (1, 1, 1, "solved"),
    ]
    assert found[0]["fault"] == '{"kind":"WorldFault","text":"it broke","detail":""}'


def test_an_attempt_without_an_end_has_null_end_columns_and_its_totals_so_far(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went(None, calls=3), "cake": Went(calls=2)})
    row, ended = _rows(run, "episodes")
    assert row["state"] == "unfinished"
    unknown = ("host", "ended", "seconds", "success", "reward", "claimed", "depth", "fault", "cancelled")
    assert [row[name] for name in unknown] == [None] * len(unknown)
    totals = ("steps", "calls", "prompt_tokens", "completion_tokens")
    assert [[each[name] for name in totals] for each in (row, ended)] == [[3, 3, 300, 30], [2, 2, 200, 20]]
    assert [(use["episode"], use["calls"]) for use in _rows(run, "usage")] == [(1, 3), (2, 2)]


def test_requests_outside_any_episode_do_not_count(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went()})
    journal = SqliteJournal(run.folder.journal)
    _decide(journal, Path(f"{VISIT}/0/0"))
    journal.close()
    assert [(row["task"], row["counts"]) for row in _rows(run, "episodes")] == [("beehive", 1), (VISIT, 0)]
    assert [row["content"] for row in _rows(run, "decisions")] == ['{"question":"which","answer":"1"}']


def test_a_run_that_is_being_written_is_one_state_of_its_journal(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went()})
    journal = SqliteJournal(run.folder.journal)
    _decide(journal, episode_path("beehive", 0, 1))
    with closing(read_rows(run)) as found:
        first, _ = next(found)
        _decide(journal, episode_path("cake", 0, 0))
        rest = [len(columns[0]) for table, columns in found if table == "decisions"]
    assert first == "episodes"
    assert rest == [1]
    assert len(_rows(run, "decisions")) == 2
    journal.close()


def test_a_resume_that_begins_meanwhile_is_noticed(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went(None)})
    with closing(read_rows(run)) as found:
        next(found)
        samples.journal(run.folder, {"beehive": Went()}, attempt=1)
        with pytest.raises(UsageError, match="expected one at rest, got a run that was resumed meanwhile"):
            list(found)


def test_a_run_without_a_journal_has_no_rows(tmp_path: FilePath) -> None:
    with (
        WritableRun.create(tmp_path, samples.record()) as folder,
        closing(read_rows(ExportedRun("one", None, folder))) as found,
    ):
        assert list(found) == []


def test_damaged_rows_are_left_out_and_named(tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went(calls=3), "cake": Went()})
    with closing(sqlite3.connect(run.folder.journal)) as journal, journal:
        journal.execute("UPDATE _steps SET done = 'maybe' WHERE rowid = (SELECT max(rowid) FROM _steps)")
        journal.execute("UPDATE _calls SET completion = 999 WHERE rowid = (SELECT min(rowid) FROM _calls)")
        journal.execute("UPDATE _sessions SET start = 7 WHERE rowid = (SELECT min(rowid) FROM _sessions)")
    counts = {table: len(_rows(run, table)) for table in _COUNTED}
    assert counts == {"episodes": 2, "calls": 3, "sessions": 1, "steps": 3}
    said = "\n".join(run.damage)
    for wrong in ("`int`, got `str` - at `$[0][12]`", "`str`, got `null` - at `$[0][10]`", "`int`, got `null`"):
        assert wrong in said
    assert said.count(f"({run.folder.journal})") == len(run.damage)


@pytest.mark.parametrize("packed", ["x'0001', x'', x''", "x'', x'00', x'00'", "x'', x'', x'00'"])
def test_a_part_of_a_token_is_damage(packed: str, tmp_path: FilePath) -> None:
    run = _run(tmp_path, {"beehive": Went(calls=1)})
    with closing(sqlite3.connect(run.folder.journal)) as journal, journal:
        journal.execute(f"INSERT INTO _tokens SELECT id, 0, 0, {packed} FROM _calls")
    assert _rows(run, "tokens") == []
    assert "bytes for each token, got" in run.damage[0]


def _damaged(run: ExportedRun, pages: int) -> Iterator[None]:
    sound = run.folder.journal.read_bytes()
    for page in range(2, len(sound) // 4096):
        content = bytearray(sound)
        content[page * 4096 : (page + pages) * 4096] = random.Random(page).randbytes(4096 * pages)
        run.folder.journal.write_bytes(bytes(content[: len(sound)]))
        yield


def test_a_damaged_page_costs_the_rows_around_it(tmp_path: FilePath) -> None:
    tasks = {f"task-{number}": Went(calls=8) for number in range(20)}
    record = samples.record("react")
    entries = tuple(record.tasks[0].model_copy(update={"name": name}) for name in tasks)
    samples.write(tmp_path, record.model_copy(update={"tasks": entries}), tasks)
    (run,) = exported_runs(tmp_path)
    whole = len(_rows(run, "steps"))
    left: list[int] = []
    for _ in _damaged(run, 1):
        run.damage.clear()
        try:
            left.append(len(_rows(run, "steps")))
        except UsageError as error:
            assert str(run.folder.journal) in str(error)  # noqa: PT017  the first pages name the tables
            continue
        assert left[-1] == whole or run.damage
    assert max(count for count in left if count < whole) > whole * 0.6


_messages = st.lists(
    st.builds(ChatMessage, role=st.sampled_from(["user", "assistant"]), content=st.sampled_from("abc"))
)


@given(st.lists(_messages.filter(bool), min_size=1, max_size=5))
def test_a_conversation_is_read_as_it_was_said(turns: list[list[ChatMessage]]) -> None:
    reader, prompt = PromptReader(), Prompt(system("You craft."))
    for turn in turns:
        known = prompt.node.address
        prompt = prompt.extend(*turn)
        reader.add(prompt.nodes_since({known}) if turn is not turns[0] else prompt.nodes_since(()))
    said = [each.message for each in reader.read(prompt.node.address)]
    assert said == [system("You craft."), *(message for turn in turns for message in turn)]


def test_the_messages_used_last_are_remembered() -> None:
    reader = PromptReader(bound=3)
    shared = Prompt(system("You craft."))
    first, second = shared.extend(user("first")), shared.extend(user("second"))
    reader.add(first.nodes_since(()))
    reader.add(second.nodes_since(()))
    reader.read(second.node.address)
    third = second.extend(assistant("third"))
    reader.add(third.nodes_since({second.node.address}))
    assert [each.message.content for each in reader.read(third.node.address)] == [
        "You craft.",
        "second",
        "third",
    ]
    assert reader.read(first.node.address) == []
    assert reader.read(PromptAddress("unknown")) == []


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFrames:
    path = tmp_path_factory.mktemp("frames") / "run"
    went = {"beehive": Went(calls=3), "cake": Went("unsolved", 0.5), "stick": Went(None)}
    return RunFrames(samples.write(path, samples.record("react", tuple(went)), went))


def test_the_names_of_tables_are_those_of_the_export() -> None:
    assert get_args(TableName) == tuple(EXPORTED_TABLES)


def test_every_library_gives_the_same_rows_with_their_types(run: RunFrames) -> None:
    arrow, polars, pandas = run.arrow("episodes"), run.polars("episodes"), run.pandas("episodes")
    names = [column.name for column in exported("episodes")]
    assert arrow.column_names == polars.columns == list(pandas.columns) == names
    assert arrow["reward"].to_pylist() == polars["reward"].to_list() == [1.0, 0.5, None]
    assert polars["success"].to_list() == [True, False, None]
    assert [bool(known) for known in pandas["success"].notna()] == [True, True, False]
    started = polars["started"][0]
    assert isinstance(started, datetime)
    assert started.tzinfo is not None
    assert started <= datetime.now(UTC)


def test_a_frame_has_what_was_written_since_the_last_one(tmp_path: FilePath) -> None:
    path = samples.write(tmp_path, samples.record("react", ("beehive", "cake")), {"beehive": Went()})
    frames = RunFrames(path)
    assert len(frames.polars("calls")) == 1
    samples.journal(RunFolder.open_to_read(path), {"cake": Went(calls=2)})
    assert len(frames.polars("calls")) == 3


def test_a_table_that_is_not_there_and_a_library_that_is_not_installed_are_named(
    run: RunFrames, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"expected one of episodes, usage, .*, got 'runs'"):
        run.arrow("runs")  # type: ignore[arg-type]

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(frames_module, "import_module", missing)
    with pytest.raises(UsageError, match="expected polars, got none; install it with pip install polars"):
        run.polars("episodes")
    with pytest.raises(UsageError, match="expected pandas"):
        run.pandas("episodes")
    monkeypatch.setattr(extras, "find_spec", {"pyarrow": None}.get)
    with pytest.raises(UsageError, match=r"expected pyarrow, got none; .*pip install 'quintet-agents\[parquet\]'"):
        run.arrow("steps")


def test_a_folder_without_a_run_is_refused_at_once(tmp_path: FilePath) -> None:
    with pytest.raises(UsageError, match=r"expected run\.json"):
        RunFrames(tmp_path)


def test_damage_is_warned_of_and_the_rest_is_there(tmp_path: FilePath) -> None:
    path = samples.write(tmp_path, samples.record("react", ("beehive",)), {"beehive": Went(calls=2)})
    with sqlite3.connect(path / "journal.sqlite") as journal:
        journal.execute("UPDATE _steps SET reward = 'x' WHERE id = (SELECT max(id) FROM _steps)")
    journal.close()
    with pytest.warns(UserWarning, match="the table lacks what could not be read"):
        assert len(RunFrames(path).polars("steps")) == 1
