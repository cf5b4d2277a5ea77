"""One writer per folder."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.runs.files import FolderLock, lock_holder


def test_a_second_writer_is_refused_and_the_error_names_the_holder(tmp_path: Path) -> None:
    held = FolderLock(tmp_path)
    with pytest.raises(UsageError, match=rf"expected no other writer, got process {os.getpid()} on .*{tmp_path.name}"):
        FolderLock(tmp_path)
    held.release()


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    first = FolderLock(tmp_path)
    first.release()
    first.release()
    second = FolderLock(tmp_path)
    with pytest.raises(UsageError):
        FolderLock(tmp_path)
    second.release()


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    take = "import os, sys; from pathlib import Path; from quintet.runs.files import FolderLock, lock_holder"
    die = f"{take}; FolderLock(Path(sys.argv[1])); os._exit(9)"
    died = subprocess.run([sys.executable, "-c", die, str(tmp_path)], check=False, cwd=Path(__file__).parents[3])
    assert died.returncode == 9
    FolderLock(tmp_path).release()


def test_a_lock_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "lock").mkdir()
    with pytest.raises(UsageError, match="expected a folder that can be written, got Is a directory"):
        FolderLock(tmp_path)


def test_a_link_or_another_file_in_place_of_a_lock_is_refused_and_not_changed(tmp_path: Path) -> None:
    precious, run = tmp_path / "thesis.tex", tmp_path / "run"
    precious.write_text("years of work")
    run.mkdir()
    (run / "lock").symlink_to(precious)
    with pytest.raises(UsageError, match=rf"expected a lock of its own, got a link \({run}/lock\)"):
        FolderLock(run)
    (run / "lock").unlink()
    (run / "lock").hardlink_to(precious)
    with pytest.raises(UsageError, match="expected a lock, got a file with other content"):
        FolderLock(run)
    assert precious.read_text() == "years of work"


def test_a_pipe_in_place_of_a_lock_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lock")
    with pytest.raises(UsageError, match="got something that is no regular file"):
        FolderLock(tmp_path)


def test_a_missing_folder_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"expected a folder that can be written, got No such file .*\(/nonexistent\)"):
        FolderLock(Path("/nonexistent"))


def test_the_holder_of_a_lock_is_seen_without_a_lock(tmp_path: Path) -> None:
    assert lock_holder(tmp_path) is None
    held = FolderLock(tmp_path)
    seen = lock_holder(tmp_path)
    assert seen is not None
    assert (seen.process, seen.host) == (os.getpid(), socket.gethostname())
    with pytest.raises(UsageError):
        FolderLock(tmp_path)
    held.release()
    assert lock_holder(tmp_path) is None


def test_a_process_that_died_or_let_go_holds_no_lock(tmp_path: Path) -> None:
    for process in (999_999_999, os.getpid()):
        (tmp_path / "lock").write_text(f"process {process} on {socket.gethostname()}\n")
        assert lock_holder(tmp_path) is None
    (tmp_path / "lock").write_text("something of the user's")
    assert lock_holder(tmp_path) is None
