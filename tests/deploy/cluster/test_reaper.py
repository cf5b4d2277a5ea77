"""The token that the reaper makes before it starts Ray."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray")]

_MAKE = (
    "import os; os.umask(0o022); from quintet.cluster.reaper import make_token; make_token(); print(oct(os.umask(0)))"
)


def test_rays_token_is_readable_by_its_user_alone(tmp_path: Path) -> None:
    home = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")} | {"HOME": str(tmp_path)}
    made = subprocess.run(
        [sys.executable, "-c", _MAKE],
        env=home,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    token = tmp_path / ".ray" / "auth_token"
    assert token.read_text()
    assert token.stat().st_mode & 0o777 == 0o600
    assert made.stdout == "0o22\n", "files of others are made as before"
