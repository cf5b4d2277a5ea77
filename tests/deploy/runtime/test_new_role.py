"""A new role is one module and one name in the registry: configuration, placement and start-up follow."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_role_in_the_registry_is_configured_placed_and_started(tmp_path: Path) -> None:
    code = f"from tests.deploy.runtime.toy_role import main; main({str(tmp_path)!r})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "roles": ["environment", "subtask", "guesser"],
        "model": "scripted-e81278",
        "tokens": 77,
        "hosts": ["guesser", "guesser-2", "host"],
        "configured": 2,
        "reason": "guessed 42",
    }
