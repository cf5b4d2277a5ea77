"""Every setting that names a file: a device without an end, a pipe without a writer, a folder, a terabyte."""

import os
from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.models.local.gguf import identify_file, read_header
from tests.command import command

_WORDS = {
    "plan": ("eval", "autoplan", "textcraft", "--set", "method.plan={}"),
    "config": ("eval", "react", "textcraft", "--config", "{}"),
    "prices": ("eval", "react", "textcraft", "--set", "run.prices={}"),
    "recipes": ("eval", "react", "textcraft", "--set", "environment.recipes={}"),
    "games": ("eval", "react", "alfworld", "--set", "environment.data={}"),
    "questions": ("eval", "react", "hotpotqa", "--set", "environment.data={}"),
    "corpus": ("eval", "react", "hotpotqa", "--set", "environment.corpus={}"),
    "shop": ("eval", "react", "webshop", "--set", "environment.data={}"),
    "tasks": ("eval", "react", "webarena", "--set", "environment.tasks={}"),
    "sites": ("eval", "react", "webarena", "--set", "environment.sites={}"),
    "pages": ("eval", "react", "webarena", "--set", "environment.pages={}"),
    "script": ("eval", "react", "textcraft", "--model", "scripted", "--set", "model.script={}"),
    "memory": ("eval", "react", "textcraft", "--memory", "{}"),
    "trajectories": ("optimize", "ldm2", "textcraft", "--set", "learning.source=given", "--trajectories", "{}"),
    "object": ("eval", "{}:Method", "textcraft"),
    "study": ("study", "{}"),
    "a report's run": ("report", "{}"),
    "an import": ("memory", "import", "{}", "--out", "new.sqlite"),
}


KINDS = ("device", "pipe", "folder", "large")


def _make(file: Path, kind: str) -> None:
    match kind:
        case "device":
            file.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case _:
            with file.open("wb") as made:
                made.truncate(1 << 40)


@pytest.mark.parametrize("kind", [*KINDS[:2], *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[2:])])
@pytest.mark.parametrize("setting", _WORDS)
def test_a_file_that_cannot_be_read_whole_is_refused_at_once(
    setting: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / ("odd.py" if setting == "object" else "odd.toml")
    _make(file, kind)
    said = command(*(word.format(file) for word in _WORDS[setting]))
    assert said.code == 2, said
    assert str(file) in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_model_s_file_is_a_regular_one(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    _make(file, kind)
    for read in (read_header, identify_file):
        with pytest.raises(UsageError, match=rf"model\.file: expected a GGUF file, got .* \({file}\)"):
            read(file)
