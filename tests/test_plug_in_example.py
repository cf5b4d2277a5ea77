"""The example of a plug-in is installed as a package of its own, found, run, and checked."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import msgspec
import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "plugin"
_MAIN = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the example is installed, built from a copy, since a build may write beside its source."""
    folder = tmp_path_factory.mktemp("example")
    source = copytree(EXAMPLE, folder / "source")
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *offline, "--target", str(folder / "site"), str(source)], check=True
    )
    return folder / "site"


def quintet(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, where the packages of `site` are installed."""
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("kind", "name"), [("environments", "lamps"), ("methods", "plan-first"), ("models", "lamplighter")]
)
def test_its_plug_ins_are_listed_with_its_name_and_version(kind: str, name: str, site: Path, tmp_path: Path) -> None:
    listed = quintet(site, tmp_path, "list", kind)
    assert listed.returncode == 0, listed.stderr
    (line,) = [line for line in listed.stdout.splitlines() if line.startswith(f"{name}: ")]
    assert line.endswith("(quintet-lamps 0.1.0)")


def test_its_parts_run_together_and_the_run_says_whose_they_are(site: Path, tmp_path: Path) -> None:
    flags = ("--model", "lamplighter", "--tasks", "2", "--out", "run")
    ran = quintet(site, tmp_path, "eval", "plan-first", "lamps", *flags)
    assert ran.returncode == 0, ran.stderr
    assert "100 % solved" in ran.stderr
    record = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert record["packages"]["quintet-lamps"] == "0.1.0"
    assert (record["method_version"], record["world_version"]) == ("1", "1")


@pytest.mark.parametrize(
    "arguments", ["environment lamps", "method plan-first", "model lamplighter", "model lamplighter --repeatable"]
)
def test_its_plug_ins_keep_their_contracts_and_skip_nothing(arguments: str, site: Path, tmp_path: Path) -> None:
    checked = quintet(site, tmp_path, "check", *arguments.split())
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "0 broken, 0 skipped" in checked.stdout


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


@pytest.mark.parametrize(
    ("arguments", "module", "good", "bad", "clause", "said"),
    [
        pytest.param(
            "environment lamps",
            "lamps.py",
            "return Row(self._task, self._start, self._lit)",
            "return self",
            "a fork goes its own way",
            "expected the snapshot before step 1, after its fork went on, to be b'",
            id="a fork that is no copy",
        ),
        pytest.param(
            "method plan-first",
            "plan_first.py",
            "goal=goal,",
            "goal=f'{goal} at {__import__(\"time\").time()}',",
            "the same seed gives the same content",
            "expected the content of another run of 'row of 2', at [(",
            id="a method that reads the clock",
        ),
        pytest.param(
            "model lamplighter",
            "lamplighter.py",
            "return complete_with(text, prompt, sampling)",
            "return complete_with(text, prompt, Sampling())",
            "a stop sequence ends the text before it",
            "in the text, got",
            id="a model that does not stop",
        ),
    ],
)
def test_a_broken_one_is_reported_with_its_clause_and_the_reason(
    arguments: str, module: str, good: str, bad: str, clause: str, said: str, site: Path, tmp_path: Path
) -> None:
    broken = copytree(site, tmp_path / "site")
    file = broken / "quintet_lamps" / module
    text = file.read_text()
    assert good in text
    file.write_text(text.replace(good, bad))
    checked = quintet(broken, tmp_path, "check", *arguments.split())
    assert checked.returncode == 1, checked.stdout + checked.stderr
    lines = checked.stdout.splitlines()
    assert said in lines[lines.index(f"  broken   {clause}") + 1]
