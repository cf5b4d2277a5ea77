"""Nothing in `deploy/` names a method, a world or a paper: what is special to one is in its own folder."""

import re
from pathlib import Path

import pytest

import quintet.studies
from quintet.plugins.catalogue import METHODS, WORLDS
from quintet.studies.papers import paper_rows

DEPLOY = Path(next(iter(quintet.studies.__path__))).parent
ENGLISH = {"random", "expert", "naive", "search", "shell", "standard", "openenv", "mcp"}
"""Names that are also words of prose and code, or of a protocol: they are looked for only as strings in a line about
a method."""
NAMES = {*METHODS, *WORLDS} - ENGLISH
PAPERS = {row.source.partition(",")[0] for method in METHODS for row in paper_rows(method)}
FORBIDDEN = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, sorted(NAMES | PAPERS)))})\b"
    rf"|method.*[\"'`](?:{'|'.join(sorted(ENGLISH))})[\"'`]"
    rf"|quintet\.(?:methods|environments)\.(?:{'|'.join(sorted({*METHODS, *WORLDS}))})\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "line",
    [
        'if name == "adapt":',
        "# as in ADaPT, table 4",
        "method = 'random'",
        "import quintet.environments.textcraft.world",
    ],
)
def test_a_line_that_names_a_method_or_world_is_found(line: str) -> None:
    assert FORBIDDEN.search(line)


@pytest.mark.parametrize(
    "line", ["import random", 'model = "random"', "await ref.ask(AskExpert())", "an adaptive limit", "reacts"]
)
def test_other_lines_are_not_found(line: str) -> None:
    assert not FORBIDDEN.search(line)


def test_no_module_of_deploy_names_a_method_a_world_or_a_paper() -> None:
    # The recipes are files that people run, and may name what they run.
    files = list(DEPLOY.rglob("*.py"))
    assert len(files) > 100
    found = [
        f"{file.relative_to(DEPLOY)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert found == []
