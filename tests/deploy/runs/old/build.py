"""Writes the folders of today's formats: `python -m tests.deploy.runs.old.build`. Those of older formats stay.

To be run, and its result committed, in the commit that raises a format's number (`test_old_folders.py`).
"""

import shutil
import tarfile
from pathlib import Path

from quintet.journal.schema import JOURNAL_VERSION
from quintet.memory.lines import LINES_FORMAT
from quintet.memory.schema import MEMORY_FORMAT
from quintet.runs.folder import FORMAT
from tests.command import command

KEPT = Path(__file__).parent
TODAY = f"folder{FORMAT}-journal{JOURNAL_VERSION}-memory{MEMORY_FORMAT}-export{LINES_FORMAT}"
"""The name of the folder here with those of today's formats."""

_WRITTEN = Path("/tmp/quintet-old")
"""Where they are written: records have absolute paths, and these name no machine."""

_FORMS = [word for each in ("tasks=2", "batch=2", "goals=1", "rounds=0") for word in ("--set", f"learning.{each}")]

FOLDERS = {
    "evaluation": ("eval", "react", "textcraft", "--tasks", "beehive,stick", "--set", "limits.budget_tokens=15000"),
    "learner": ("optimize", "ldm2", "textcraft", "--tasks", "stick", *_FORMS),
    "study": ("study", "demo", "--tasks", "stick", "--no-picture"),
}
"""The commands, but `--out`. The evaluation's budget is spent before its end, so that a resume has work."""


def build() -> None:
    """Write all, and an export of the learner's memory."""
    shutil.rmtree(_WRITTEN, ignore_errors=True)
    kept = KEPT / TODAY
    kept.mkdir(exist_ok=True)
    for name, words in FOLDERS.items():
        ended = command(*words, "--out", _WRITTEN / name)
        assert ended.code in (0, 3), ended
        with tarfile.open(kept / f"{name}.tar.xz", "w:xz") as archive:
            archive.add(_WRITTEN / name, name)
    (kept / "memory.jsonl").unlink(missing_ok=True)
    command("memory", "export", _WRITTEN / "learner", "--jsonl", kept / "memory.jsonl", code=0)
    shutil.rmtree(_WRITTEN)


if __name__ == "__main__":
    build()
