"""The example of a plug-in is installed as a package of its own, found, run, and checked."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import msgspec
import pytest

from quintet.testing import environment_members
from quintet.testing.contract import clauses
from tests.command import command, printed
from tests.distributions import build, use_site

SAID = {
    "it leaves answers to a judge only if it says so",
    "it leaves messages to a user only if it says so",
    "it says how many sessions a host may hold",
    "it says alike each time what its tasks are made of",
    "it says in words which tasks it refuses",
    "it says whether it answers alike twice",
}
"""What every world says, by its defaults."""
EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the example is installed."""
    folder = tmp_path_factory.mktemp("example")
    build(folder / "site", copytree(EXAMPLE, folder / "source"))
    return folder / "site"


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_site(site, monkeypatch, "quintet_lamps")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("kind", "name"), [("environments", "lamps"), ("methods", "plan-first"), ("models", "lamplighter")]
)
def test_its_plug_ins_are_listed_with_its_name_and_version(kind: str, name: str) -> None:
    (line,) = [line for line in printed("list", kind).splitlines() if line.startswith(f"{name}: ")]
    assert line.endswith("(quintet-lamps 0.1.0)")


@pytest.mark.usefixtures("installed")
def test_its_parts_run_together_and_the_run_says_whose_they_are(tmp_path: Path) -> None:
    flags = ("--model", "lamplighter", "--tasks", "2", "--out", tmp_path / "run")
    assert "100 % solved" in command("eval", "plan-first", "lamps", *flags, code=0).err
    record = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert record["packages"]["quintet-lamps"] == "0.1.0"
    assert (record["method_versions"], record["world_version"]) == ({"plan-first": "1"}, "1")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("arguments", "skipped"),
    [
        ("environment lamps", set(clauses(environment_members)) - SAID),
        pytest.param("method plan-first", set[str](), marks=pytest.mark.slow),
        ("model lamplighter --repeatable", {"several completions come by one request whose usage the first has"}),
    ],
)
def test_its_plug_ins_keep_their_contracts_and_skip_only_clauses_about_members_that_they_lack(
    arguments: str, skipped: set[str]
) -> None:
    lines = printed("check", *arguments.split()).splitlines()
    assert {line.removeprefix("  skipped  ") for line in lines if line.startswith("  skipped  ")} == skipped
    assert any(line.endswith(f"0 broken, {len(skipped)} skipped") for line in lines)


@pytest.mark.slow
def test_its_own_tests_pass_and_skip_nothing(site: Path, tmp_path: Path) -> None:
    tests = copytree(EXAMPLE / "tests", tmp_path / "tests")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(tmp_path), str(tests)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert re.search(r"^\d+ passed in", tested.stdout, re.MULTILINE), tested.stdout
