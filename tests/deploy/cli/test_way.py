"""The way of `quintet eval` to its first environment step."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]

LONGEST = 10
"""Modules of `deploy/` on the way, the runtime's among them; docs/decisions/command-line-and-files.md."""


@pytest.fixture(scope="module")
def way(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("way") / "run"
    command = ["eval", "react", "textcraft", "--tasks", "stick", "--out", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.deploy.cli.way", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_world_is_made_once_and_every_prompt_is_read_once(way: Any) -> None:
    assert way["worlds"] == 1
    assert way["reads"] == {"demonstrations.txt": 1, "execute.txt": 1}


def test_the_first_step_is_few_modules_away(way: Any) -> None:
    assert way["modules"][:2] == ["cli/__init__.py", "cli/run.py"]
    assert len(way["modules"]) <= LONGEST, way["modules"]
