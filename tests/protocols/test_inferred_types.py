"""Both type checkers infer the reply of every ask."""

import subprocess
import sys
from pathlib import Path

import pytest

from quintet.messages.message import Request
from quintet.messages.wire import messages

ASKS = Path(__file__).with_name("inferred_types.py")
ROOT = ASKS.parents[2]
CHECKERS = {"mypy": ["mypy", "--no-incremental"], "pyright": ["basedpyright"]}


def check(checker: str, file: Path) -> subprocess.CompletedProcess[str]:
    """Run a checker over one file as the project configures it."""
    command = [sys.executable, "-m", *CHECKERS[checker], str(file)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_ask_is_inferred_as_its_reply(checker: str) -> None:
    result = check(checker, ASKS)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_wrong_reply_type_is_found(checker: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(ASKS.read_text().replace("Solved | Unsolved)", "Solved)"))
    result = check(checker, wrong)
    assert result.returncode != 0
    assert "Unsolved" in result.stdout


def test_no_request_is_left_out() -> None:
    text = ASKS.read_text()
    requests = [kind.__name__ for kind in messages() if issubclass(kind, Request)]
    assert [name for name in requests if f": {name}" not in text] == []
