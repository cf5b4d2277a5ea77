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


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_ask_is_inferred_as_its_reply_and_a_wrong_type_is_found(checker: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(ASKS.read_text().replace("Solved | Unsolved)", "Solved)"))
    command = [sys.executable, "-m", *CHECKERS[checker], str(ASKS), str(wrong)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if " error: " in line]
    assert errors, done.stdout
    assert all("wrong.py" in line and "Unsolved" in line for line in errors), done.stdout


def test_no_request_is_left_out() -> None:
    text = ASKS.read_text()
    requests = [kind.__name__ for kind in messages() if issubclass(kind, Request)]
    assert [name for name in requests if f": {name}" not in text] == []
