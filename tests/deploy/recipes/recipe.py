"""The recipes as the tests read them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # no stubs installed; basedpyright brings its own

from quintet import recipes

ROOT = Path(__file__).parents[3]
FOLDER = Path(recipes.__path__[0])
FILES = sorted(file for file in FOLDER.iterdir() if file.is_file() and file.suffix not in {".py", ".typed"})
README = FOLDER / "README.md"

_PINS = dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
_WRAPPER = "run-or-resume.sh"
_BEGIN = {"eval", "optimize", "study"}
_ENDS = {";", "&", "&&", "|", "||", ">", "#", ")"}


def locked(name: str) -> str | None:
    """The version that requirements.lock has; None where it has none."""
    return _PINS.get(name)


def documents(name: str) -> list[dict[str, Any]]:
    """The documents of a YAML file."""
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


def lines(file: Path) -> Iterator[str]:
    """Lines that may hold commands: code and indented comments, no prose; of a manifest also the entrypoint."""
    text = file.read_text().replace("\\\n", " ")
    if file.suffix == ".md":
        yield from (line for line in text.splitlines() if line.startswith("    "))
        yield from re.findall(r"`([^`\n]+)`", text)
        return
    yield from (line for line in text.splitlines() if not re.match(r"\s*# ?\S", line))
    if file.name == "kuberay.yaml":
        yield documents(file.name)[1]["spec"]["entrypoint"]
    if file.name == "indexed-job.yaml":
        yield documents(file.name)[1]["spec"]["template"]["spec"]["containers"][0]["args"][0]


def quintet_commands(line: str) -> Iterator[list[str]]:
    """The arguments of every `quintet` that a line calls, by itself or through the wrapper."""
    for match in re.finditer(rf"(?<![\w/.-])(?:quintet|{re.escape(_WRAPPER)}|slurm\.sh)\s+(?=[-/a-zK\"$])", line):
        words = list(_words(line[match.end() :]))
        if match[0].strip() == "quintet":
            yield words
        elif begun := _BEGIN.intersection(words):
            number = words.index(begun.pop())
            yield [*words[number:], "--out", words[number - 1]]


def _words(text: str) -> Iterator[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        for word in lexer:
            if word in _ENDS:
                return
            yield word
    except ValueError:  # a quotation that the whole line would close
        return
