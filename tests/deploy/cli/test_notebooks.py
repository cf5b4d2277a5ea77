"""`quintet memory` with notebooks: looking at notes, searching, comparing, copying and importing them."""

import json
from pathlib import Path

import pytest

from tests.command import command, printed
from tests.deploy.memory.notebooks import a_notebook_of_versions
from tests.deploy.memory.samples import a_memory

SHOWN = """\
Notebook of alfworld, version 2: 3 notes, 1 replaced

By version
version  changes  notes  replaced        digest
"""
NOTE = """\
note 281474976710657, version 1, section places, for look: helpful 0, harmful 0, recalled 0, \
replaced by 281474976710658, from -
  Title: Find lamps
  Text: Lamps stand on desks.
"""
PLAIN = """\
{"title": "Salt", "text": "It stands in the jar.", "section": "places", "helpful": 2}

{"text": "Look around."}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    a_notebook_of_versions(tmp_path / "notes.sqlite")[0].close()
    return tmp_path / "notes.sqlite"


def memory(*words: object) -> str:
    return printed("memory", *words)


def test_show_prints_versions_sections_and_notes(file: Path) -> None:
    said = memory("show", file)
    assert said.startswith(SHOWN)
    assert "strategies      2        0        0" in said
    assert "-               1        2        1" in said
    assert NOTE in memory("show", file, "--notes")
    assert "replaced" not in memory("show", f"{file}@1", "--notes")
    told = json.loads(memory("show", file, "--notes", "--json"))
    assert (told["kind"], len(told["notes"])) == ("notebook", 4)
    assert told["notes"][2]["stored"]["helpful"] == 2


def test_search_prints_notes_by_words_and_by_section(file: Path) -> None:
    assert memory("search", file, "dirty", "mug").count("Title: Clean") == 1
    assert memory("search", file, "microwave") == f"no notes found ({file})\n"
    assert "Title: Heat eggs" in memory("search", f"{file}@1", "microwave", "--section", "strategies")
    assert memory("search", f"{file}@1", "microwave", "--section", "places").startswith("no notes found")
    assert memory("search", file, "--section", "strategies").count("  Text: ") == 2
    assert len(json.loads(memory("search", file, "mug", "--json"))["notes"]) == 1


def test_diff_prints_a_line_for_each_difference(file: Path) -> None:
    assert memory("diff", f"{file}@1", f"{file}@2").splitlines() == [
        "- Heat eggs: Open the microwave before you heat an egg.",
        "+ Heat eggs: Open it, heat the egg, close it.",
        "- Find lamps: Lamps stand on desks. (replaced by: Clean)",
        "~ Clean: Put things into the sinkbasin to clean them. (helpful 0 to 2, harmful 0 to 1, recalled 0 to 5)",
    ]
    assert memory("diff", file, file) == "no difference\n"


def test_a_notebook_is_copied_merged_exported_and_imported(file: Path) -> None:
    copied, merged, lines, again = (file.with_name(name) for name in ("c.sqlite", "m.sqlite", "m.jsonl", "a.sqlite"))
    assert memory("copy", file, "--out", copied) == "Notebook of alfworld, version 0: 3 notes, 1 replaced\n"
    assert memory("diff", file, copied) == "no difference\n"
    assert memory("merge", file, f"{copied}", "--out", merged) == (
        "Notebook of alfworld, version 0: 6 notes, 2 replaced\n"
    )
    assert memory("export", merged, "--jsonl", lines) == "16 lines\n"
    assert memory("import", lines, "--out", again).startswith("Notebook of alfworld, version 0: 6 notes, 2 replaced")
    assert memory("show", again, "--notes", "--json") == memory("show", merged, "--notes", "--json")


def test_a_plain_file_of_notes_is_a_notebook(tmp_path: Path) -> None:
    file, out = tmp_path / "plain.jsonl", tmp_path / "notes.sqlite"
    file.write_text(PLAIN)
    assert memory("import", file, "--world", "alfworld", "--out", out) == "Notebook of alfworld, version 0: 2 notes\n"
    said = memory("show", out, "--notes")
    assert "section places: helpful 2, harmful 0, recalled 0, active, from " in said
    assert f"from {file}, line 3" in said


@pytest.mark.parametrize("start", ["\ufeff", "\n", "\ufeff\n  \n"])
def test_a_mark_of_bytes_and_blank_lines_before_the_first_note_are_passed_over(start: str, tmp_path: Path) -> None:
    file, out = tmp_path / "plain.jsonl", tmp_path / "notes.sqlite"
    file.write_text(start + PLAIN)
    assert memory("import", file, "--world", "alfworld", "--out", out) == "Notebook of alfworld, version 0: 2 notes\n"
    file.write_text(start)
    found = command("memory", "import", file, "--world", "alfworld", "--out", tmp_path / "m.sqlite", code=2)
    assert found.err == f"quintet: import: expected an export or a note a line, got an empty file ({file})\n"


def test_an_export_with_a_change_of_a_note_that_is_not_there_is_refused(file: Path, tmp_path: Path) -> None:
    lines, out = tmp_path / "n.jsonl", tmp_path / "again.sqlite"
    memory("export", file, "--jsonl", lines)
    head, *others = lines.read_text().splitlines(keepends=True)
    vote = next(line for line in others if '"type":"vote"' in line)
    lines.write_text("".join((head, vote, *others)))
    found = command("memory", "import", lines, "--out", out, code=2)
    expected = "import: line 2: expected a change of one of the 0 notes before it, got one of note 2"
    assert found.err == f"quintet: {expected} ({lines})\n"
    assert not out.exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"text": "a", "colour": "red"}', "expected a note, got another: Object contains unknown field `colour`"),
        ('{"title": "a"}', "expected a note, got another: Object missing required field `text`"),
        ('{"text": ""}', "expected a note, got another: Expected `str` of length >= 1 - at `$.text`"),
    ],
)
def test_a_line_that_is_no_note_is_named(line: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "plain.jsonl"
    file.write_text('{"text": "good"}\n' + line + "\n")
    found = command("memory", "import", file, "--world", "alfworld", "--out", tmp_path / "n.sqlite", code=2)
    assert found.err == f"quintet: import: {said} ({file}, line 2)\n"
    assert not (tmp_path / "n.sqlite").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show NOTES --tuples", "--tuples: expected a memory, got a notebook"),
        ("search NOTES egg --batch 1", "--batch: expected a memory, got a notebook"),
        ("show TUPLES --notes", "memory: expected a notebook, got a memory (TUPLES)"),
        ("search TUPLES egg --section a", "memory: expected a notebook, got a memory (TUPLES)"),
        ("diff NOTES TUPLES", "memory: expected a notebook, got a memory (TUPLES)"),
        ("merge NOTES TUPLES --out OUT", "memory: expected a notebook, got a memory (TUPLES)"),
        ("import PLAIN --out OUT", "--world: expected the environment that the notes are about, got none (PLAIN)"),
    ],
)
def test_a_notebook_is_not_taken_for_a_memory(words: str, said: str, file: Path) -> None:
    a_memory(file.with_name("tuples.sqlite")).close()
    file.with_name("plain.jsonl").write_text('{"text": "good"}\n')
    names = {"NOTES": "notes.sqlite", "TUPLES": "tuples.sqlite", "PLAIN": "plain.jsonl", "OUT": "out.sqlite"}
    for name, of in names.items():
        words, said = (text.replace(name, str(file.with_name(of))) for text in (words, said))
    assert command("memory", *words.split(), code=2).err == f"quintet: {said}\n"
