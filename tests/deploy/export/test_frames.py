"""Data frames of a run: the three libraries, studies, times and truth values, and what is refused."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import get_args

import pytest

from quintet.errors import UsageError
from quintet.export import extras
from quintet.export import frames as frames_module
from quintet.export.frames import RunFrames
from quintet.export.tables import EXPORTED_TABLES, TableName, exported
from quintet.runs.run_folder import RunFolder
from tests.deploy import samples
from tests.deploy.samples import Went


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
