"""The picture of adapt-dmax."""

from pathlib import Path

import pytest

from deploy.reports.gathering import gather
from deploy.studies.dmax_picture import draw
from tests.deploy import runs
from tests.deploy.runs import Went


def test_a_picture_is_drawn_also_while_arms_are_missing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for arm, method, depth in (("adapt-1", "adapt", 1), ("adapt-4", "adapt", 4), ("react-20", "react", 1)):
        record = runs.record(method, ["beehive", "cake"])
        runs.write(tmp_path / arm, record, {"beehive": Went(depth=depth), "cake": Went("unsolved", 0.0)})
    file = tmp_path / "picture.png"
    draw(gather([tmp_path / arm for arm in ("adapt-1", "adapt-4", "react-20")]), file)
    assert file.read_bytes().startswith(b"\x89PNG")
