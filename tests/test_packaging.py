"""The package as others meet it: beside folders of the same names as ours, and installed from its wheel."""

import os
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.deploy.recipes.recipe import FILES

ROOT = Path(__file__).parents[1]
COMMAND = Path(sys.executable).with_name("quintet")
ROOTS = ("protocols", "actors", "deploy")


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=clean_environment(), capture_output=True, text=True, check=False)


def with_folders_of_our_names(project: Path) -> Path:
    """A user's project with packages and a module that are called like our folders and cannot be imported."""
    for name in ("protocols", "actors"):
        (project / name).mkdir()
        (project / name / "__init__.py").write_text("raise RuntimeError('the user's own package was imported')\n")
    (project / "deploy.py").write_text("raise RuntimeError('the user's own module was imported')\n")
    return project


def test_the_command_runs_in_a_project_with_folders_of_our_names(tmp_path: Path) -> None:
    """Locally; `tests/deploy/cluster/test_command.py` does it on Ray."""
    project = with_folders_of_our_names(tmp_path)
    done = run(COMMAND, "eval", "react", "textcraft", "--tasks", "stick", "--out", "mine", folder=project)
    assert done.returncode == 0, done.stderr
    assert (project / "mine" / "run.json").is_file()


@pytest.mark.slow
def test_a_script_runs_in_a_project_with_folders_of_our_names(tmp_path: Path) -> None:
    project = with_folders_of_our_names(tmp_path)
    script = project / "script.py"
    script.write_text((ROOT / "examples" / "script.py").read_text())
    done = run(sys.executable, script, folder=project)
    assert done.returncode == 0, done.stderr
    assert "2.0 of 2" in done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("quintet_agents-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment: the wheel, what it asks for, the extra `testing`, not our checkout."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    fresh = folder / "bin" / "python"
    offline = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", "--python", str(fresh), "install", *offline, str(wheel)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    for package in needed("quintet-agents", "testing") - {("quintet-agents", "testing")}:
        found = distribution(package[0])
        for name in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (site / name).exists():
                (site / name).symlink_to(str(found.locate_file(name)))
    return fresh


def needed(
    package: str, extra: str = "", found: frozenset[tuple[str, str]] = frozenset()
) -> frozenset[tuple[str, str]]:
    """A package and all that it asks for, however far, each with the extra of it that is asked for."""
    if (package, extra) in found:
        return found
    found |= {(package, extra)}
    for requirement in map(Requirement, distribution(package).requires or ()):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            for each in ("", *requirement.extras):
                found = needed(requirement.name, each, found)
    return found


def test_a_wheel_has_one_package_and_every_part_of_it_is_typed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = [name for name in opened.namelist() if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in names} == {"quintet"}
    assert "quintet/__init__.py" not in names
    packages = {name.split("/")[1] for name in names}
    assert {f"quintet/{package}/py.typed" for package in packages} <= set(names)
    ours = {folder.name for root in ROOTS for folder in (ROOT / root / "quintet").iterdir() if folder.is_dir()}
    assert packages == ours


def test_a_wheel_has_all_that_our_sites_their_tasks_and_the_recipes_are_made_of(wheel: Path) -> None:
    sites = ROOT / "actors" / "quintet" / "environments" / "webarena"
    found = [file for part in ("sites", "tasks") for file in (sites / part).rglob("*.*") if file.suffix != ".pyc"]
    made_of = {str(file.relative_to(ROOT / "actors")) for file in found}
    assert {file.rpartition(".")[2] for file in made_of} >= {"html", "css", "js", "sql", "json"}
    with zipfile.ZipFile(wheel) as opened:
        assert made_of | {f"quintet/recipes/{file.name}" for file in FILES} <= set(opened.namelist())


def test_an_installed_wheel_runs(python: Path, tmp_path: Path) -> None:
    done = run(
        python.with_name("quintet"), "eval", "react", "textcraft", "--tasks", "stick", "--out", "mine", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    where = run(python, "-c", "import quintet.api; print(quintet.api.__file__)", folder=tmp_path)
    assert Path(where.stdout.strip()).is_relative_to(python.parents[1])


def test_an_installed_wheel_without_extras_has_no_ray_and_says_so_before_it_makes_a_folder(
    python: Path, tmp_path: Path
) -> None:
    done = run(
        python.with_name("quintet"), "eval", "react", "textcraft", "--hosts", "2", "--out", "mine", folder=tmp_path
    )
    assert done.returncode == 2
    assert "runtime: expected ray, got none; install it with pip install 'quintet-agents[ray]'" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_installed_wheel_checks_a_model(python: Path, tmp_path: Path) -> None:
    done = run(python.with_name("quintet"), "check", "model", "sim-weak", "--repeatable", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "16 clauses: 15 hold" in done.stdout
    assert list(tmp_path.iterdir()) == []


USER = """
import asyncio
from typing import assert_type

from quintet.api import evaluate, open_run
from quintet.events import EpisodeEnded
from quintet.messages.message import Unanswered
from quintet.messages.planning import Decompose, Decomposed

assert_type(evaluate("react", "textcraft", tasks=1), list[EpisodeEnded])


async def main() -> None:
    async with open_run("adapt", "textcraft", tasks=1) as run, run.visit() as roles:
        assert_type(await roles.ask(Decompose(setting="", goal="")), Decomposed | Unanswered)


asyncio.run(main())
"""


@pytest.mark.slow
def test_a_users_file_is_type_checked_against_an_installed_wheel(python: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(USER)
    bad.write_text(USER.replace("Decomposed | Unanswered)", "str)"))
    check = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python), "--cache-dir", "cache"]
    found = run(*check, good, folder=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    wrong = run(*check, bad, folder=tmp_path)
    assert 'Expression is of type "Decomposed | Unanswered", not "str"' in wrong.stdout
