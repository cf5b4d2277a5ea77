"""Both type checkers infer the reply of every ask, of a role and of a ref."""

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from quintet.messages.message import Request
from quintet.messages.wire import messages, reply_type

ROOT = Path(__file__).parents[2]
CHECKERS = {"mypy": ["mypy", "--no-incremental"], "pyright": ["basedpyright"]}


def asks() -> str:
    """A program that asserts what is inferred for every request there is."""
    imports = {"from typing import assert_type", "from quintet.ports.roles import Roles"}
    imports.add("from quintet.runtime.refs import Ref")
    functions: list[str] = []
    requests: list[type[Request[Any]]] = [kind for kind in messages() if issubclass(kind, Request)]
    for number, request in enumerate(requests):
        promised = reply_type(request)
        replies = get_args(promised) or (promised,)
        imports |= {f"from {kind.__module__} import {kind.__name__}" for kind in (request, *replies)}
        reply = " | ".join(kind.__name__ for kind in replies)
        functions += [
            f"async def ask_{number}(roles: Roles, ref: Ref, request: {request.__name__}) -> None:",
            f"    assert_type(await roles.ask(request), {reply})",
            f"    assert_type((await ref.ask(request)).reply, {reply})",
        ]
    return "\n".join([*sorted(imports), *functions])


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_ask_is_inferred_as_its_reply_and_a_wrong_type_is_found(checker: str, tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(asks())
    wrong.write_text(asks().replace("Solved | Unsolved)", "Solved)"))
    command = [sys.executable, "-m", *CHECKERS[checker], str(right), str(wrong)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if " error: " in line]
    assert errors, done.stdout
    assert all("wrong.py" in line and "Unsolved" in line for line in errors), done.stdout
