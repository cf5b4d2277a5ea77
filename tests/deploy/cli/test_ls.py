"""What `ls` prints."""

import json
from pathlib import Path

from tests.command import command
from tests.deploy import samples
from tests.deploy.samples import Went


def test_runs_are_listed_with_state_and_progress(tmp_path: Path) -> None:
    record = samples.record("react", ("beehive", "cake"))
    samples.write(tmp_path / "runs" / "a", record, {"beehive": Went()})
    said = command("ls", tmp_path, code=0)
    [row] = [line.split() for line in said.out.splitlines() if line.startswith("runs/a")]
    assert row == ["runs/a", "react", "on", "textcraft", "interrupted", "1/2", "1", "0", "110", "-", "-"]
    [entry] = json.loads(command("ls", tmp_path, "--json").out)
    assert (entry["path"], entry["state"], entry["ended"], entry["episodes"], entry["eta_seconds"]) == (
        str(tmp_path / "runs" / "a"),
        "interrupted",
        1,
        2,
        None,
    )


def test_a_folder_without_runs_says_so(tmp_path: Path) -> None:
    assert command("ls", tmp_path).out == f"no runs in {tmp_path} or up to three folders below\n"
    assert command("ls", tmp_path, "--json").out == "[]\n"
    command("ls", tmp_path / "none", code=2)
