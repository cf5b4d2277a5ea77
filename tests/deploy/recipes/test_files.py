"""The recipes as files: shipped, in step with the lock and with each other, without a key and without a download."""

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.deploy.recipes.recipe import FILES, FOLDER, README, ROOT, documents, lines, locked

SCRIPTS = sorted(FOLDER.glob("*.sh"))
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_readme_lists_every_file() -> None:
    linked = set(re.findall(r"\]\(([^)]+)\)", README.read_text()))
    assert linked == {file.name for file in FILES} - {"README.md", "gcp.lock"}


def test_ray_is_the_locked_one_everywhere() -> None:
    texts = {file.name: file.read_text() for file in FILES if file.suffix != ".lock"}
    found = {(name, version) for name, text in texts.items() for version in re.findall(r"\b2\.\d+\.\d+\b", text)}
    assert {name for name, _ in found} == {"README.md", "kuberay.yaml"}
    assert {version for _, version in found} == {locked("ray")}


def test_the_image_is_the_same_everywhere_and_of_this_version() -> None:
    found = [image for file in FILES for image in re.findall(r"\S+/quintet:[\w.]+", file.read_text())]
    assert len(found) >= 8
    assert set(found) == {f"registry.example.com/quintet:{VERSION}"}


def test_the_google_cloud_packages_agree_with_the_lock() -> None:
    pins = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (FOLDER / "gcp.lock").read_text(), re.MULTILINE))
    assert "google-api-python-client" in pins
    assert {name: locked(name) or version for name, version in pins.items()} == pins


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_holds_a_key_or_installs_when_it_runs(file: Path) -> None:
    text = file.read_text()
    assert not re.search(r"sk-[A-Za-z0-9]{6}", text)
    assert not re.search(r"API_KEY[\"']?\s*[:=]\s*[\"']?[A-Za-z0-9]{8}", text)
    if file.name not in ("Dockerfile", "README.md"):
        assert not re.search(r"pip install|apt-get|curl|uv (pip|sync)|runtimeEnvYAML|runtime-env", text)


def test_no_job_reserves_anything_for_its_driver() -> None:
    # With entrypoint resources Ray may start the driver on a node that has no volume.
    for file in FILES:
        for line in lines(file):
            assert "ray job submit" not in line or "--entrypoint" not in line
    assert not [key for key in documents("kuberay.yaml")[1]["spec"] if key.startswith("entrypointNum")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_scripts_are_bash_that_stops_at_errors(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)
    text = script.read_text()
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "\nset -euo pipefail\n" in text
    assert script.stat().st_mode & 0o111
    assert "`" not in re.sub(r"(?m)^\s*#.*$", "", text)


def test_the_wrapper_becomes_quintet_and_traps_nothing() -> None:
    # `ray job stop` signals every process of a job: what is forwarded as well would be the second signal.
    text = (FOLDER / "run-or-resume.sh").read_text()
    assert [line.strip() for line in text.splitlines() if line.strip().startswith("quintet ")] == []
    assert len(re.findall(r"^\s*exec quintet ", text, re.MULTILINE)) == 2
    assert not re.search(r"^\s*trap ", text, re.MULTILINE)


def test_slurms_directives_suspend_and_requeue() -> None:
    directives = re.findall(r"^#SBATCH (--[\w-]+)(?:=(\S+))?$", (FOLDER / "slurm.sh").read_text(), re.MULTILINE)
    given = dict(directives)
    assert given["--signal"] == "B:TERM@300"
    assert {"--requeue", "--exclusive", "--open-mode", "--nodes", "--time"} <= given.keys()


@pytest.mark.slow
def test_the_recipes_are_in_the_source_distribution(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [built] = tmp_path.iterdir()
    with tarfile.open(built) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"deploy/quintet/recipes/{file.name}" for file in FILES} <= names
