"""Folders that may be read and not written, such as an archive's, and a home that may not: what is said, and kept."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from tests.command import Said, command
from tests.deploy.memory.samples import a_memory

ROOT = Path(__file__).parents[3]

_SCRIPT = """
import json, sys
from tests.command import command
print(json.dumps([command(*words) for words in json.loads(sys.argv[1])]))
"""
_DROP_CAPABILITY, _OVERRIDE, _READ_ALL = 24, 1, 2
"""Of Linux: `PR_CAPBSET_DROP`, and root's rights to pass over the permissions of files."""


def _as_user() -> None:
    """Root is refused what a user is refused, from the next program on."""
    for capability in (_OVERRIDE, _READ_ALL):
        ctypes.CDLL(None).prctl(_DROP_CAPABILITY, capability, 0, 0, 0)


def _in_read_only(folder: Path, commands: Sequence[Sequence[object]]) -> list[Said]:
    """Run commands in a process whose home and whose `folder`, with all in it, may only be read."""
    places = [folder, *folder.rglob("*")]
    for place in places:
        place.chmod(0o555 if place.is_dir() else 0o444)
    try:
        ran = subprocess.run(
            [sys.executable, "-c", _SCRIPT, json.dumps([[str(word) for word in words] for words in commands])],
            env=os.environ | {"HOME": str(folder)},
            cwd=ROOT,
            preexec_fn=_as_user,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        for place in places:
            place.chmod(0o755 if place.is_dir() else 0o644)
    return [Said(*each) for each in json.loads(ran.stdout)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An unfinished run and a memory."""
    folder = tmp_path / "archive"
    budget = ("--set", "limits.budget_tokens=15000")
    run = ("eval", "react", "textcraft", "--tasks", "beehive,stick", *budget)
    command(*run, "--out", folder / "run", code=3)
    a_memory(folder / "m.sqlite").close()
    return folder


def _content(folder: Path) -> dict[Path, str]:
    return {file: sha256(file.read_bytes()).hexdigest() for file in folder.rglob("*") if file.is_file()}


def test_a_folder_and_a_home_that_may_only_be_read_are_read_and_what_cannot_be_written_is_named(
    archive: Path, tmp_path: Path
) -> None:
    before, run, memory = _content(archive), archive / "run", archive / "m.sqlite"
    reading = [
        ("report", run),
        ("show", run, "stick"),
        ("ls", archive),
        ("export", run, "--parquet", tmp_path / "tables"),
        ("view", run, "--static", tmp_path / "page.html"),
        ("memory", "show", memory),
        ("eval", "react", "textcraft", "--tasks", "stick", "--out", tmp_path / "new"),
    ]
    writing = {
        ("resume", run, "--budget-tokens", 100_000): "expected a folder that can be written, got Permission denied",
        ("export", run, "--parquet", run / "tables"): "expected a folder that can be made, got Permission denied",
        ("view", run, "--static", run / "page.html"): "expected a folder that can be written, got Permission denied",
        (
            "memory",
            "merge",
            memory,
            "--out",
            archive / "x.sqlite",
        ): "expected a file that can be written, got Permission",
        ("memory", "export", memory, "--jsonl", archive / "x.jsonl"): "expected a new file, got Permission denied",
        ("eval", "react", "textcraft", "--out", archive / "new"): "expected a folder that can be made, got Permission",
    }
    said = _in_read_only(archive, [*reading, *writing])
    for words, each in zip(reading, said, strict=False):
        assert (each.code, "Traceback" in each.err) == (0, False), (words, each.err)
    for (written, text), each in zip(writing.items(), said[len(reading) :], strict=True):
        assert (each.code, text in each.err, str(archive) in each.err) == (2, True, True), (written, each.err)
    assert _content(archive) == before
