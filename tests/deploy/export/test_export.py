"""The exported folder: complete or absent, with the same episodes as a report, in limited groups and parts."""

import json
import os
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pytest

from quintet.cli import main
from quintet.errors import UsageError
from quintet.export import parquet
from quintet.export.parquet import TableFiles, arrow_schema, export_parquet, pyarrow
from quintet.export.tables import EXPORTED_TABLES, TableName
from quintet.launch.writable_run import WritableRun
from quintet.messages.reflection import Reflected
from quintet.reports.exports import as_json
from quintet.reports.load import load_report
from quintet.studies.definition import find_study
from quintet.studies.run import create
from tests.deploy import learning_runs, samples
from tests.deploy.export.exported import metadata, table
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.samples import Went

ROOT = Path(__file__).parents[3]
WENT = {
    "beehive": Went(depth=2, calls=3),
    "cake": Went("faulted"),
    "stick": Went(None),
    "torch": Went("unsolved", 0.5, None),
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return samples.write(tmp_path / "one", samples.record("adapt", [*WENT, "furnace"]), WENT)


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    arms = {arm: samples.prepared(arm, tuple(WENT)) for arm in ("react", "adapt")}
    with create(find_study("demo"), arms, tmp_path / "demo") as folder:
        samples.write(
            folder.arm_path("react"), samples.record("react", tuple(WENT)), {"beehive": Went("unsolved", 0.0)}
        )
        samples.write(folder.arm_path("adapt"), samples.record("adapt", tuple(WENT)), WENT)
    return tmp_path / "demo"


def _counting(out: Path, arm: str | None) -> list[dict[str, Any]]:
    rows = [row for row in table(out / "episodes") if row["counts"] and row["arm"] == arm]
    return [row | {"metadata": dict(row["metadata"])} for row in rows]


_SAID_ELSEWHERE = {"recalled", "repeats_by_hand", "discarded_results", "unanswered", "phases"}
"""What the tables say by a row for each attempt, for each call, or for each phase."""


def _same(reported: dict[str, Any], exported: dict[str, Any]) -> bool:
    # An episode without an end took no time in a report, and has no time in a table. A fault is a reason in a report.
    fault = json.loads(exported["fault"] or "{}")
    exported |= {"reason": f"{fault['kind']}: {fault['text']}"} if fault else {}
    exported |= {"figures": json.loads(exported["figures"] or "{}")}
    return all(
        exported[name] == (value if exported["ended"] or name != "seconds" else None)
        for name, value in reported.items()
        if name not in _SAID_ELSEWHERE
    )


@pytest.mark.parametrize("folder", ["one", "demo", "learnt"])
def test_the_episodes_that_count_are_those_of_the_report(
    folder: str, run: Path, demo: Path, learning_run: Path, tmp_path: Path
) -> None:
    export_parquet(tmp_path / folder, tmp_path / "out")
    for reported in json.loads(as_json(load_report([tmp_path / folder])))["runs"]:
        arm = reported["run"] if folder == "demo" else None
        begun = [row for row in reported["episodes"] if row["state"] != "not begun"]
        exported = _counting(tmp_path / "out", arm)
        assert [_same(*pair) for pair in zip(begun, exported, strict=True)] == [True] * len(begun)
        assert {row["models"] for row in exported} == {reported["model"]}
        used = {(row["arm"], row["episode"], row["phase"]): row["calls"] for row in table(tmp_path / "out" / "usage")}
        phases = {
            (arm, row["id"], phase): spent["calls"]
            for episode, row in zip(begun, exported, strict=True)
            for phase, spent in episode["phases"].items()
        }
        assert phases.items() <= used.items()


def test_the_command_says_how_many_rows_there_are(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(run), "--parquet", str(tmp_path / "a" / "b")]) == 0
    said = {name: int(number) for number, name in map(str.split, capsys.readouterr().out.splitlines())}
    assert said == {name: len(table(tmp_path / "a" / "b" / name)) for name in EXPORTED_TABLES}
    assert said == {
        "episodes": 4,
        "usage": 4,
        "calls": 6,
        "tokens": 0,
        "tool_answers": 0,
        "sessions": 4,
        "steps": 6,
        "nodes": 0,
        "trials": 0,
        "recalls": 0,
        "exchanges": 12,
        "decisions": 0,
        "versions": 0,
        "prompts": 6,
    }


def test_a_studys_rows_say_their_run_and_arm(demo: Path, tmp_path: Path) -> None:
    assert export_parquet(demo, tmp_path / "out").rows["episodes"] == 5
    for name in ("episodes", "usage", "calls", "steps", "prompts"):
        found = {(row["run"], row["arm"]) for row in table(tmp_path / "out" / name)}
        assert found == {("demo/react", "react"), ("demo/adapt", "adapt")}


def test_an_export_says_where_it_comes_from_and_leaves_the_run_as_it_is(run: Path, tmp_path: Path) -> None:
    before = sorted(run.rglob("*"))
    export_parquet(run, tmp_path / "out")
    assert sorted(run.rglob("*")) == before
    assert {file.name for file in (tmp_path / "out").rglob("*") if file.is_file()} == {"part-00001.parquet"}
    found = metadata(tmp_path / "out" / "decisions" / "part-00001.parquet")
    assert found.keys() == {"quintet.version", "quintet.tables", "quintet.simulated", "quintet.runs"}
    assert found["quintet.simulated"] == "true"
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    for tasks in ("tasks", "training", "held_out"):
        del record[tasks]
    assert json.loads(found["quintet.runs"]) == [{"run": "one", "arm": None, "simulated": True, "record": record}]
    with duckdb.connect() as connection:
        columns = "metadata['recipe depth'], success, purpose, typeof(started)"
        query = f"SELECT {columns} FROM '{tmp_path}/out/episodes/*.parquet'"
        assert connection.execute(query).fetchall()[0] == ("2", True, "test", "TIMESTAMP WITH TIME ZONE")
        assert connection.execute(f"FROM '{tmp_path}/out/decisions/*.parquet'").fetchall() == []


@pytest.fixture
def learning_run(tmp_path: Path) -> Path:
    steps = [
        Step({"stick": LOST, "torch": Went()}, "Fetch a log.", {"stick": Reflected(summary="It crafted nothing.")}),
        Step({"bowl": LOST}, "Fetch a log."),
    ]
    record = learning_runs.record(("stick", "torch", "bowl"), ("chest",))
    measured = {0: {"beehive": LOST, "chest": LOST}, 2: {"beehive": Went(), "cake": Went()}}
    return learning_runs.write(tmp_path / "learnt", record, steps, measured, chosen=2)


def test_a_learning_run_exports_its_learner_its_versions_and_the_use_of_every_task(
    learning_run: Path, tmp_path: Path
) -> None:
    export_parquet(learning_run, tmp_path / "out")
    rows = {row["path"]: row for row in table(tmp_path / "out" / "episodes")}
    uses = {path: (row["purpose"], row["counts"], bool(row["metadata"])) for path, row in rows.items()}
    assert uses == {
        "stick/0/0": ("training", False, True),
        "torch/0/0": ("training", False, True),
        "chest/0/0": ("held out", False, True),
        "beehive/0/0": ("test", False, True),
        "~learn/0/0": (None, False, False),
        "bowl/1/0": ("training", False, True),
        "beehive/2/0": ("test", True, True),
        "cake/2/0": ("test", True, True),
    }
    asked = [row["path"] for row in table(tmp_path / "out" / "calls") if row["path"].startswith("~learn/")]
    assert len(asked) == rows["~learn/0/0"]["calls"] == 3
    found = table(tmp_path / "out" / "versions")
    assert [(row["run"], row["version"], row["text"], row["unchanged"], row["chosen"]) for row in found] == [
        ("learnt", 0, "", False, False),
        ("learnt", 1, "Fetch a log.", False, False),
        ("learnt", 2, "Fetch a log.", True, True),
    ]


def test_before_a_version_is_chosen_the_column_is_null(tmp_path: Path) -> None:
    record = learning_runs.record(("stick",))
    learning_runs.write(tmp_path / "learnt", record, [], {0: {"beehive": Went()}})
    export_parquet(tmp_path / "learnt", tmp_path / "out")
    assert [row["chosen"] for row in table(tmp_path / "out" / "versions")] == [None]
    counting = [row["path"] for row in table(tmp_path / "out" / "episodes") if row["counts"]]
    assert counting == ["beehive/0/0"]


def test_a_run_that_has_not_started_gives_tables_without_rows(tmp_path: Path) -> None:
    WritableRun.create(tmp_path / "one", samples.record()).close()
    create(find_study("demo"), {"react": samples.prepared("react")}, tmp_path / "demo").close()
    for name in ("one", "demo"):
        assert set(export_parquet(tmp_path / name, tmp_path / "out" / name).rows.values()) == {0}
        assert {len(table(tmp_path / "out" / name / each)) for each in EXPORTED_TABLES} == {0}


def test_a_folder_with_content_is_refused_and_an_empty_one_is_used(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "link").symlink_to(out)
    export_parquet(run, tmp_path / "link")
    assert {folder.name for folder in out.iterdir()} == set(EXPORTED_TABLES)
    with pytest.raises(UsageError, match=r"--parquet: expected a new or empty folder, got one with 'calls' in it"):
        export_parquet(run, out)
    with pytest.raises(UsageError, match="--parquet: expected a folder that can be made, got Not a directory"):
        export_parquet(run, run / "run.json")
    with pytest.raises(UsageError, match="--parquet: expected a path below a known home folder"):
        export_parquet(run, Path("~nobody-here/x"))


def test_a_failed_export_leaves_nothing(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (OSError(28, "No space left on device"), KeyboardInterrupt()):

        def fails(_self: object, _row: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(TableFiles, "add", fails)
        with pytest.raises(type(error)):
            export_parquet(run, tmp_path / "out")
        assert [entry.name for entry in tmp_path.iterdir()] == ["one"]


_KILLED = """
import os, signal, sys
from pathlib import Path
from quintet.export import folder, parquet
folder.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
parquet.export_parquet(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_a_kill_leaves_no_folder_that_looks_whole(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", _KILLED, str(run), str(out)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = tmp_path.glob("out*")
    assert left.name.startswith("out.part-")
    assert export_parquet(run, out).rows["episodes"] == 4


@pytest.mark.parametrize(
    ("bounds", "batches", "length", "groups"),
    [
        pytest.param({"GROUP_ROWS": 3, "PART_GROUPS": 2}, (2, 9, 3), 5, [[3, 3], [3, 3], [2]], id="many-rows"),
        pytest.param({"GROUP_ROWS": 1, "PART_GROUPS": 2}, (4,), 5, [[1, 1], [1, 1]], id="no-empty-part-at-the-end"),
        pytest.param({"GROUP_BYTES": 1_000}, (1, 1, 1, 1), 900, [[2, 2]], id="long-texts-end-a-group-early"),
    ],
)
def test_no_row_group_and_no_part_grows_with_the_run(
    bounds: dict[str, int],
    batches: tuple[int, ...],
    length: int,
    groups: list[list[int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, bound in bounds.items():
        monkeypatch.setattr(parquet, name, bound)
    rows = [("one", None, number, None, "user", "x" * length) for number in range(sum(batches))]
    left = iter(rows)
    with TableFiles(tmp_path / "prompts", arrow_schema("prompts", {})) as files:
        for size in batches:
            files.add(list(zip(*islice(left, size), strict=True)))
    found: list[Any] = [
        pyarrow().parquet.ParquetFile(file).metadata for file in sorted((tmp_path / "prompts").iterdir())
    ]
    assert [[part.row_group(group).num_rows for group in range(part.num_row_groups)] for part in found] == groups
    assert [tuple(row.values()) for row in table(tmp_path / "prompts")] == rows


@pytest.mark.parametrize("name", EXPORTED_TABLES)
def test_a_table_without_rows_has_a_file_with_its_schema(name: TableName, tmp_path: Path) -> None:
    with TableFiles(tmp_path / name, arrow_schema(name, {"quintet.tables": "1"})) as files:
        pass
    assert files.rows == 0
    (file,) = (tmp_path / name).iterdir()
    assert table(file) == []
    assert pyarrow().parquet.read_schema(file).equals(arrow_schema(name, {}))
    assert metadata(file) == {"quintet.tables": "1"}
