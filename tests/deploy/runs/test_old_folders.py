"""Folders of every format since 0.1.0: all are read in place, and resumed or refused in words."""

import json
import re
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.journal.schema import JOURNAL_FILE, JOURNAL_VERSION
from quintet.memory.lines import LINES_FORMAT
from quintet.memory.place import find_memory
from quintet.memory.schema import MEMORY_FILE, MEMORY_FORMAT
from quintet.runs.folder import FORMAT, read_record
from quintet.runs.record import RUN_RECORD, RunRecord
from quintet.runs.study_folder import STUDY_RECORD
from tests.command import command
from tests.deploy.runs.old.build import FOLDERS, KEPT, TODAY

FORMATS = sorted(each.name for each in KEPT.iterdir() if each.is_dir() and not each.name.startswith("_"))
EPISODES = {"evaluation": "beehive", "learner": "stick/0", "study": "adapt/stick"}
"""One of each folder, as `show` takes it."""


def _unpacked(formats: str, name: str, place: Path) -> Path:
    with tarfile.open(KEPT / formats / f"{name}.tar.xz") as archive:
        archive.extractall(place, filter="data")
    return place / name


_NUMBERS = [[int(number) for number in re.findall(r"\d+", each)] for each in FORMATS]
FOLDER, JOURNAL, MEMORY, LINES = map(min, zip(*_NUMBERS, strict=True))
"""The oldest formats that are read."""


def test_folders_of_todays_formats_are_kept() -> None:
    assert TODAY in FORMATS, "a raised format needs folders of its own: see old/build.py"
    kept = sorted(each.name for each in (KEPT / TODAY).iterdir())
    assert kept == sorted([*(f"{name}.tar.xz" for name in FOLDERS), "memory.jsonl"])
    assert sum(each.stat().st_size for each in (KEPT / TODAY).iterdir()) < 100_000


@pytest.mark.parametrize("formats", FORMATS)
@pytest.mark.parametrize("name", FOLDERS)
def test_a_kept_folder_is_reported_shown_viewed_and_exported_whatever_its_formats(
    formats: str, name: str, tmp_path: Path
) -> None:
    folder = _unpacked(formats, name, tmp_path)
    before = _files(folder)
    for words in (
        ("report", folder),
        ("report", folder, "--json"),
        ("show", folder, EPISODES[name]),
        ("view", folder, "--static", tmp_path / "page.html"),
        ("export", folder, "--parquet", tmp_path / "tables"),
        ("export", folder, "--training", "preference", tmp_path / "pairs"),
        *([("memory", "show", folder)] if name == "learner" else []),
        *(
            [("memory", "import", KEPT / formats / "memory.jsonl", "--out", tmp_path / "m.sqlite")]
            if name == "learner"
            else []
        ),
    ):
        assert "could not be read" not in command(*words, code=0).err
    assert _files(folder) == before, "it is read in place"


@pytest.mark.parametrize("formats", FORMATS)
@pytest.mark.parametrize("name", FOLDERS)
def test_a_kept_folder_is_resumed_or_refused_in_words(formats: str, name: str, tmp_path: Path) -> None:
    """Prompts, methods and worlds change between releases, and then a resume would be another run."""
    folder = _unpacked(formats, name, tmp_path)
    said = command("resume", folder, *(["--budget-tokens", 1_000_000] if name == "evaluation" else []))
    assert said.code in (0, 2), said.err
    if said.code == 2:
        assert re.search(r"expected .+, got .+", said.err), said.err
        assert str(folder) in said.err


def _files(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _record(file: Path, number: int) -> None:
    file.write_text(re.sub(r'"format": \d+', f'"format": {number}', file.read_text(), count=1))


def _sqlite(file: Path, number: int) -> None:
    with closing(sqlite3.connect(file)) as opened:
        opened.execute(f"PRAGMA user_version={number}")


def _lines(file: Path, number: int) -> None:
    file.write_text(re.sub(r'"format":\d+', f'"format":{number}', file.read_text(), count=1))


@pytest.mark.parametrize("is_newer", [False, True])
@pytest.mark.parametrize(
    ("folder", "file", "oldest", "today", "change", "words"),
    [
        ("evaluation", RUN_RECORD, FOLDER, FORMAT, _record, ("report",)),
        ("evaluation", JOURNAL_FILE, JOURNAL, JOURNAL_VERSION, _sqlite, ("report",)),
        ("evaluation", JOURNAL_FILE, JOURNAL, JOURNAL_VERSION, _sqlite, ("resume",)),
        ("study", STUDY_RECORD, FOLDER, FORMAT, _record, ("report",)),
        ("study", f"arms/adapt/{JOURNAL_FILE}", JOURNAL, JOURNAL_VERSION, _sqlite, ("report",)),
        ("learner", MEMORY_FILE, MEMORY, MEMORY_FORMAT, _sqlite, ("memory", "show")),
        ("learner", "memory.jsonl", LINES, LINES_FORMAT, _lines, ("memory", "import")),
    ],
)
def test_a_file_of_a_format_from_before_the_first_release_or_of_a_newer_one_is_refused_with_both_formats(
    folder: str,
    file: str,
    oldest: int,
    today: int,
    change: Callable[[Path, int], None],
    words: tuple[str, ...],
    is_newer: bool,
    tmp_path: Path,
) -> None:
    other = today + 1 if is_newer else oldest - 1
    place = _unpacked(TODAY, folder, tmp_path)
    if file == "memory.jsonl":
        (place / file).write_bytes((KEPT / TODAY / file).read_bytes())
        place, words = place / file, (*words, "--out", str(tmp_path / "made"))
        change(place, other)
    else:
        change(place / file, other)
    verb = words[:2] if words[0] == "memory" else words[:1]
    said = command(*verb, place, *words[len(verb) :])
    assert said.code == 2
    assert re.search(rf"expected (format|version) {today}, got {other}\b", said.err), said.err
    assert file in said.err
    assert f"use the {'newer' if is_newer else 'older'} quintet that wrote it" in said.err


@pytest.mark.parametrize("formats", FORMATS)
def test_a_kept_memory_is_searched_by_words_and_its_settings_mean_what_they_meant(formats: str, tmp_path: Path) -> None:
    folder = _unpacked(formats, "learner", tmp_path)
    with closing(find_memory(str(folder)).reader) as reader:
        ((type_id, text),) = reader.rows(
            "SELECT type, observations.text FROM tuples JOIN texts AS observations ON "
            "observations.id = observation ORDER BY tuples.id LIMIT 1"
        )
        before = reader.limit(reader.newest() or 0)
        assert next(reader.words.ranked(type_id, before, text))[0] > 0
        found = list(reader.words.ranked(type_id, before, text))
        assert len(found) == sum(1 for _ in reader.rows("SELECT 1 FROM tuples WHERE type = ?", (type_id,)))
    memory = read_record(folder / RUN_RECORD, RunRecord).configuration.memory
    assert memory is not None
    assert (memory.control, memory.budget) == ("none", 2_048), "8,192 bytes"


@pytest.mark.parametrize("memory", ["x", [1], {"budget": "x"}, {"budget": None}])
def test_a_damaged_record_of_an_older_format_is_refused_in_words(memory: object, tmp_path: Path) -> None:
    folder = _unpacked(FORMATS[0], "evaluation", tmp_path)
    record = json.loads((folder / RUN_RECORD).read_text())
    record["configuration"]["memory"] = memory
    (folder / RUN_RECORD).write_text(json.dumps(record))
    with pytest.raises(UsageError, match=r"run folder: expected a whole record, got configuration\.memory"):
        read_record(folder / RUN_RECORD, RunRecord)


def test_the_section_of_a_record_from_before_there_were_several_is_the_one_that_is_shown(tmp_path: Path) -> None:
    folder = _unpacked("folder4-journal11-memory3-export2", "learner", tmp_path)
    record = json.loads((folder / RUN_RECORD).read_text())
    record["configuration"]["memory"]["section"] = "insights"
    (folder / RUN_RECORD).write_text(json.dumps(record))
    memory = read_record(folder / RUN_RECORD, RunRecord).configuration.memory
    assert memory is not None
    assert [each.section for each in memory.recalled_sections] == ["insights"]
    assert (memory.control, memory.budget) == ("none", 2_048), "its units are today's"
