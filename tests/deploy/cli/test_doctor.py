"""`quintet doctor`: what works here, and why something does not."""

import fcntl
import json
import platform
import resource
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quintet.cluster import join, ray_private
from quintet.plugins import catalogue
from tests.command import printed


def always(answer: object) -> Callable[..., object]:
    """A function that always answers the same."""
    return lambda *_asked: answer


def raising(error: Exception) -> Callable[..., object]:
    """A function that always fails."""

    def fail(*_asked: object) -> object:
        raise error

    return fail


class Disk(NamedTuple):
    free: int


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making all worlds takes seconds."""
    monkeypatch.setattr(catalogue, "names", always(("textcraft", "gym")))


def found(*words: object) -> dict[str, dict[str, Any]]:
    return {each["what"]: each for each in json.loads(printed("doctor", *words, "--json"))}


def docker(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "docker").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_what_works_is_said_with_how_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker(tmp_path, "echo 29.1", monkeypatch)
    for program in ("kubectl", "sbatch", "sky"):
        (tmp_path / program).symlink_to("docker")
    monkeypatch.setattr(resource, "getrlimit", always((1024, 65_536)))
    findings = found(tmp_path / "not" / "yet")
    assert [what for what, each in findings.items() if not each["works"]] == []
    assert findings["open files"]["text"] == "65,536 at most"
    assert findings["image builder"]["text"] == "docker 29.1"
    assert findings["Slurm"]["text"] == str(tmp_path / "sbatch")
    assert findings[f"runs in {tmp_path / 'not' / 'yet'}"]["text"].startswith("a local disk with ")
    assert findings["environment textcraft"]["text"] == ""
    assert findings["file locks"]["text"] == "one driver at a time writes in a run"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["docker", "kubectl", "sbatch", "sky"]
    assert "environment gym" not in findings, "it is any world, by the name that follows"
    assert not (tmp_path / "not").exists()


def test_what_does_not_work_is_said_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker(tmp_path, "echo no daemon >&2; exit 1", monkeypatch)
    monkeypatch.setattr(resource, "getrlimit", always((256, 1024)))
    monkeypatch.setattr(shutil, "disk_usage", always(Disk(free=10**8)))
    lacking = "expected Chromium, got none"
    monkeypatch.setattr(type(catalogue.world("textcraft")), "lacking", always(lacking))
    monkeypatch.setattr("quintet.plugins.extras.find_spec", always(None))
    failed = {what: each["text"] for what, each in found(tmp_path).items() if not each["works"]}
    assert failed == {
        "open files": "1,024 at most; expected 4,096 (ulimit -Hn), since a call in flight takes one",
        f"runs in {tmp_path}": f"expected 1 GB free, got 0.1 ({tmp_path})",
        "Ray": "Ray: expected ray, got none; install it with pip install 'quintet-agents[ray]'",
        "environment textcraft": lacking,
        "image builder": "docker: no daemon",
        "Kubernetes": "expected kubectl, got none; submit from where it is",
        "Slurm": "expected sbatch, got none; submit from where it is",
        "SkyPilot": "expected sky, got none; submit from where it is",
    }


def test_a_network_disk_and_a_cluster_that_does_not_answer_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("server:/runs / nfs4 rw 0 0\n")
    monkeypatch.setattr("quintet.runs.files._MOUNTS", mounts)
    findings = found(tmp_path, "--ray-address", "127.0.0.1:1")
    assert "got a network file system of type nfs4" in findings[f"runs in {tmp_path}"]["text"]
    assert not findings["Ray at 127.0.0.1:1"]["works"]


def test_a_table_is_for_people(tmp_path: Path) -> None:
    said = printed("doctor", tmp_path).strip().splitlines()
    assert said[0].startswith("quintet ")
    assert any(line.startswith("cores ") and " yes " in line for line in said)


@pytest.mark.parametrize(
    ("flock", "said"),
    [
        pytest.param(always(None), "expected one holder at a time, got two", id="ignored"),
        pytest.param(raising(OSError(37, "No locks available")), "got No locks available", id="none"),
    ],
)
def test_a_file_system_without_locks_is_named(
    flock: Callable[..., object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fcntl, "flock", flock)
    locks = found(tmp_path)["file locks"]
    assert not locks["works"]
    assert said in locks["text"]


def test_a_cluster_of_other_versions_is_named_without_joining_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "find", always("head:1"))
    here = platform.python_version()
    for versions, works, said in [
        ((version("ray"), here), True, f"a head answers at head:1: Ray {version('ray')}, Python {here}, as here"),
        (("1.2.3", here), False, f"Ray at head:1: expected Ray {version('ray')}, got 1.2.3"),
        ((version("ray"), "3.9.1"), False, f"({here}), got 3.9.1"),
    ]:
        monkeypatch.setattr(ray_private, "cluster_versions", always(versions))
        finding = found("--ray-address", "head:1")["Ray at head:1"]
        assert finding["works"] == works
        assert said in finding["text"]
