"""How much a folder holds, and the times of what was changed."""

import os
from pathlib import Path

from quintet.environments.shell.tree import measure, settle

_OLD, _NEW = 1_000, 2_000
_SINCE = 1_700_000_000


def test_what_was_changed_gets_one_time_and_all_else_keeps_its_own(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "file").write_text("x", encoding="utf-8")
    (tmp_path / "link").symlink_to("/etc/passwd")
    old = tmp_path / "old"
    old.write_text("x", encoding="utf-8")
    os.utime(old, (_OLD, _OLD))
    usage = settle(tmp_path, _SINCE, _NEW)
    assert (usage.entries, usage.changed, usage.too_deep) == (4, True, False)
    assert old.stat().st_mtime == _OLD
    assert {each.lstat().st_mtime for each in (tmp_path, *tmp_path.rglob("*")) if each != old} == {_NEW}
    assert not settle(tmp_path, _SINCE, _NEW).changed
    assert Path("/etc/passwd").stat().st_mtime != _NEW


def test_a_deletion_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settle(tmp_path, _SINCE, _NEW)
    (tmp_path / "file").unlink()
    assert settle(tmp_path, _SINCE, _NEW).changed


def test_a_sparse_file_counts_with_all_its_length(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10_000_000)
    assert measure(tmp_path).bytes > 10_000_000


def test_a_folder_below_a_hundred_others_is_too_deep_and_not_looked_into(tmp_path: Path) -> None:
    place = tmp_path
    for _ in range(101):
        place /= "d"
        place.mkdir()
        assert not measure(tmp_path).too_deep or place.parts.count("d") > 100
    assert measure(tmp_path).too_deep
    assert measure(tmp_path).entries == 100
