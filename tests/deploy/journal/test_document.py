"""The tables of a journal as its docs describe them, and its pictures, apart from the events."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import pytest

from quintet.errors import UsageError
from quintet.events import AnyEvent, Pictured, Record, StepTaken
from quintet.export.parquet import GROUP_BYTES, GROUP_ROWS, PART_GROUPS, export_parquet
from quintet.export.tables import (
    COLUMN_TYPES,
    EXPORTED_TABLES,
    RECORD_COLUMNS,
    RUN_COLUMNS,
    TABLES_VERSION,
    Column,
)
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_path
from tests.actors.pictured import picture_at
from tests.command import command
from tests.deploy import samples
from tests.deploy.journal.records import append, changed
from tests.deploy.samples import Went
from tests.simulation.virtual import run

ROOT = Path(__file__).parents[3]
DOCUMENT = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("journal.md", "export.md"))
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
QUERIES = re.findall(r"\n### (\w+)\n[^#]*?```sql\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)

RUNS = {"decisions": "autoplan", "versions": "autoplan", "nodes": "lats", "trials": "reflexion", "recalls": "ldm2"}
"""By view, the method whose run the page shows, where it is not `adapt`."""


COMMON_COLUMNS = EXPORTED_TABLES["decisions"][:-2]
"""Those that every view of events begins with."""


def _shown(heading: str) -> list[list[str]]:
    """The columns below a heading: name, type, and whether they may be null. Each has a meaning."""
    _, _, section = DOCUMENT.partition(f"\n{heading}\n")
    lines = [line for line in re.split(r"\n#|\n`episodes` ends", section)[0].splitlines() if line.startswith("| `")]
    assert all(re.fullmatch(r"\| `\w+` \| \w+ \| (?:yes)? \| \S.* \|", line) for line in lines)
    return [[cell.strip() for cell in line.split("|")[1:4]] for line in lines]


def _lines(declared: Sequence[Column]) -> list[list[str]]:
    words = {kind: word for word, kind in COLUMN_TYPES.items()}
    return [[f"`{each.name}`", words[each.type], "yes" if each.nullable else ""] for each in declared]


def test_every_column_is_documented() -> None:
    assert _shown("### Events") == _lines(COMMON_COLUMNS)
    for table, declared in EXPORTED_TABLES.items():
        begins = len(COMMON_COLUMNS) if declared[: len(COMMON_COLUMNS)] == COMMON_COLUMNS else 0
        assert _shown(f"### {table}") == _lines(declared[begins:])
    assert _shown("A table has the columns of its view, after these two:") == _lines(RUN_COLUMNS)
    assert _shown("`episodes` ends with what the run's record knows of it:") == _lines(RECORD_COLUMNS)


def test_the_bounds_and_the_version_are_those_of_the_code() -> None:
    assert f"at most {GROUP_ROWS:,} rows and ends at {GROUP_BYTES // 2**20} MiB" in DOCUMENT
    assert f"at most {PART_GROUPS} row groups" in DOCUMENT
    assert f"The version of the tables, {TABLES_VERSION}:" in DOCUMENT


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The runs that the page shows, by their method, made by the commands that it shows."""
    found: dict[str, Path] = {}
    for words in re.findall(r"\n    \.venv/bin/quintet ((?:eval|optimize) .*)", DOCUMENT):
        folder = tmp_path_factory.mktemp("shown") / "run"
        said = command(*words.split(), "--out", folder)
        assert said.code == 0, said.err
        found[words.split()[1]] = folder
    return found


def by_duckdb(file: Path) -> duckdb.DuckDBPyConnection:
    (extension,) = files("duckdb_extension_sqlite_scanner").joinpath("extensions").glob("*/*.duckdb_extension")  # type: ignore[attr-defined]
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension}'")
    connection.execute(f"ATTACH '{file}' AS journal (TYPE sqlite, READ_ONLY)")
    connection.execute("USE journal")
    return connection


@pytest.mark.parametrize(("view", "query", "output"), QUERIES, ids=[view for view, *_ in QUERIES])
def test_a_query_prints_what_is_shown(runs: dict[str, Path], view: str, query: str, output: str) -> None:
    run = runs[RUNS.get(view, "adapt")]
    with closing(sqlite3.connect(f"file:{run}/journal.sqlite?mode=ro", uri=True)) as journal:
        cursor = journal.execute(query)
        rows = [[name for name, *_ in cursor.description], *cursor]
    assert "".join("|".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows) == output
    with by_duckdb(run / "journal.sqlite") as connection:
        assert [list(row) for row in connection.execute(query).fetchall()] == [list(row) for row in rows[1:]]


def test_every_view_has_a_query() -> None:
    assert [view for view, *_ in QUERIES] == list(EXPORTED_TABLES)


@pytest.mark.parametrize(
    "method",
    ["adapt", "ldm2", *(pytest.param(each, marks=pytest.mark.slow) for each in ("autoplan", "lats", "reflexion"))],
)
def test_sqlite_and_duckdb_read_the_same_from_every_view(runs: dict[str, Path], method: str) -> None:
    file = runs[method] / "journal.sqlite"
    with closing(sqlite3.connect(file)) as journal, by_duckdb(file) as connection:
        for view, declared in EXPORTED_TABLES.items():
            names = [column.name for column in declared]
            cursor = journal.execute(f"SELECT * FROM {view} ORDER BY 1, 2, 3")
            assert [name for name, *_ in cursor.description] == names
            assert cursor.fetchall() == connection.execute(f"SELECT * FROM {view} ORDER BY 1, 2, 3").fetchall()


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    went = {"beehive": Went(calls=3), "cake": Went("faulted")}
    (tmp_path / "runs").mkdir()
    run = samples.write(tmp_path / "runs" / "mine", samples.record("adapt", tuple(went)), went)
    export_parquet(run, tmp_path / "DIR")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("exported")
@pytest.mark.parametrize(
    "example", [each for each in EXAMPLES if not any(word in each for word in ("ray", "INSTALL", "inspect_ai"))]
)
def test_an_example_runs(example: str) -> None:
    exec(compile(example, "docs", "exec"), {})


@pytest.mark.usefixtures("exported")
def test_the_documented_query_rebuilds_whole_prompts() -> None:
    (example,) = [example for example in EXAMPLES if "messages" in example]
    exec(compile(example, "docs", "exec"), {})
    with duckdb.connect() as connection:
        found: list[Any] = connection.execute("SELECT messages FROM 'conversations.parquet' ORDER BY path").fetchall()
    assert [[message["role"] for message in messages] for (messages,) in found] == [
        ["system", "user", *["assistant", "user"] * turns] for turns in (0, 1, 2, 0)
    ]


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.usefixtures("exported")
@pytest.mark.xdist_group("ray")
def test_ray_data_reads_every_table() -> None:
    (example,) = [example for example in EXAMPLES if "ray" in example]
    code = "\n".join(
        (
            "import ray",
            "ray.init(address='local', num_cpus=1, include_dashboard=False, log_to_driver=False)",
            example,
            *(f"print(len(ray.data.read_parquet('DIR/{table}').take_all()))" for table in EXPORTED_TABLES),
            "ray.shutdown()",
        )
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = [line for line in done.stdout.splitlines() if line.isdecimal()]
    assert counts == ["2", "2", "2", "4", "0", "0", "2", "4", "0", "0", "0", "6", "0", "0", "6"]


EPISODE = episode_path("low stairs", 0, 0)
STEP = StepTaken(path=child(EPISODE, 2), session="s", action="up", observation="", reward=0, done=False, rejected=False)


def _seen(number: int, steps: int) -> Pictured:
    return Pictured(path=child(EPISODE, number), picture=picture_at(steps))


def _write(file: Path, *events: AnyEvent) -> None:
    journal = SqliteJournal(file)
    incarnation = journal.begin(EPISODE)
    run(append(journal, [Record(event=event, incarnation=incarnation, host="here", at=1.5) for event in events]))
    journal.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    _write(tmp_path / "journal.sqlite", _seen(1, 0), STEP, _seen(2, 1))
    return tmp_path / "journal.sqlite"


def test_pictures_are_found_by_their_paths_and_are_no_records(file: Path) -> None:
    with closing(JournalReader.open(file)) as reader:
        assert reader.pictures(EPISODE) == {child(EPISODE, number): len(picture_at(0)) for number in (1, 2)}
        assert reader.picture(child(EPISODE, 2)) == picture_at(1)
        assert [record.event for record in reader.records(EPISODE)] == [STEP]
        assert reader.pictures(episode_path("high stairs", 0, 0)) == {}
        assert reader.damage == []


@pytest.mark.parametrize("at", [child(EPISODE, 3), EPISODE, episode_path("high stairs", 0, 0)])
def test_a_place_without_a_picture_is_refused(at: str, file: Path) -> None:
    with closing(JournalReader.open(file)) as reader, pytest.raises(UsageError, match=f"a picture at {at}, found none"):
        reader.picture(type(EPISODE)(at))


def test_a_replay_stores_no_picture_twice(file: Path) -> None:
    _write(file, _seen(1, 7), _seen(3, 3))
    with closing(JournalReader.open(file)) as reader:
        assert [*reader.pictures(EPISODE)] == [child(EPISODE, number) for number in (1, 2, 3)]
        assert reader.picture(child(EPISODE, 1)) == picture_at(0)


def test_a_damaged_picture_is_named_and_hides_no_other(file: Path) -> None:
    changed(file, "UPDATE _pictures SET picture = 'torn', size = 'large' WHERE path = '1'")
    with closing(JournalReader.open(file)) as reader:
        assert [*reader.pictures(EPISODE)] == [child(EPISODE, 2)]
        with pytest.raises(UsageError, match="found none"):
            reader.picture(child(EPISODE, 1))
        assert len(reader.damage) == 2


def test_sqlite_and_duckdb_read_them_from_a_view(file: Path) -> None:
    query = "SELECT path, incarnation, host, size, picture FROM pictures ORDER BY id"
    rows = [(child(EPISODE, number + 1), 1, "here", len(picture_at(0)), picture_at(number)) for number in (0, 1)]
    with closing(sqlite3.connect(file)) as journal:
        assert journal.execute(query).fetchall() == rows
    with by_duckdb(file) as connection:
        assert connection.execute(query).fetchall() == rows
