"""Why a run stopped."""

from asyncio import CancelledError
from pathlib import Path

import pytest

from quintet.errors import BudgetSpent, EndpointUnavailable, Fault, WorldFault
from quintet.runs.run_end import RUN_END, keep_end, read_end, write_end


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (BudgetSpent("no more"), ("spent", "no more")),
        (EndpointUnavailable("away"), ("interrupted", "away")),
        (KeyboardInterrupt(), ("interrupted", "by hand")),
        (CancelledError(), ("interrupted", "by hand")),
    ],
)
def test_a_run_that_stops_early_leaves_the_reason(tmp_path: Path, error: BaseException, found: tuple[str, str]) -> None:
    with pytest.raises(type(error)), keep_end(tmp_path):
        raise error
    end = read_end(tmp_path)
    assert end is not None
    assert (end.ended, end.reason) == found


def test_a_new_start_removes_what_the_one_before_left_and_a_bug_leaves_nothing(tmp_path: Path) -> None:
    write_end(tmp_path, "stopped", "a bug")
    with keep_end(tmp_path):
        assert read_end(tmp_path) is None
    with pytest.raises(Fault), keep_end(tmp_path):
        raise WorldFault("of an episode")
    assert read_end(tmp_path) is None


def test_a_damaged_file_is_no_reason(tmp_path: Path) -> None:
    (tmp_path / RUN_END).write_text("{")
    assert read_end(tmp_path) is None
