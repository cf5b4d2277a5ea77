"""The story of a failed run: its five commands print what is shown below each."""

import re
import shlex
from pathlib import Path

import pytest

from quintet.cli import main

PAGE = (Path(__file__).parents[1] / "docs" / "stories" / "what-if.md").read_text()
_COMMAND = re.compile(r"^    \.venv/bin/quintet ([^\n]+)$\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_a_failed_run_is_explained_in_five_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = _COMMAND.findall(PAGE)
    assert [command.split()[0] for command, _ in commands] == ["eval", "blame", "show", "fork", "view"]
    for command, shown in commands:
        assert main(shlex.split(command)) == 0
        printed = "".join(capsys.readouterr())
        assert [line for line in shown.splitlines() if line not in printed] == []
