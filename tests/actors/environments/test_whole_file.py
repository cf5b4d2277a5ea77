from pathlib import Path

import pytest

from quintet.environments.whole_file import whole_file
from quintet.errors import UsageError


def test_a_file_has_its_name_once_it_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "shop"
    with whole_file(file) as partial:
        partial.write_text("half")
        assert not file.exists()
    assert file.read_text() == "half"
    assert list(tmp_path.iterdir()) == [file]


def test_a_block_that_fails_leaves_nothing_and_what_was_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "shop"
    file.write_text("before")

    def fail() -> None:
        with whole_file(file) as partial:
            partial.write_text("half")
            raise RuntimeError("the middle")

    with pytest.raises(RuntimeError, match="the middle"):
        fail()
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_place_below_a_file_is_refused_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = pytest.raises(UsageError, match="--out: expected a file that can be written, got Not a directory")
    with refused, whole_file(tmp_path / "file" / "shop") as partial:
        partial.touch()
