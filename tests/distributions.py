"""Distributions that register plug-ins, installed for one test or built from a project."""

import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import invalidate_caches
from pathlib import Path

import pytest

from quintet.plugins import catalogue
from quintet.plugins.entry_points import plug_ins


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    registered: Mapping[str, Mapping[str, str]],
    *,
    distribution: str = "acme",
    version: str = "1.0",
) -> None:
    """Install a distribution without modules of its own.

    Args:
        folder: put on the path of this process.
        monkeypatch: takes it away again.
        registered: by `methods`, `environments` and `models`, names and the objects that they stand for.
        distribution: its name.
        version: its version.
    """
    info = folder / f"{distribution}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    lines = [
        line
        for group, points in registered.items()
        for line in (f"[quintet.{group}]", *(f"{name} = {target}" for name, target in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    use_site(folder, monkeypatch)


def build(site: Path, *projects: Path) -> None:
    """Build projects with pip, without a network, and install them into a folder. May write beside their sources."""
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet")
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(site), *map(str, projects)]
    subprocess.run(command, check=True)


def use_site(site: Path, monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Put a folder of installed distributions on the path of this process, for one test.

    Args:
        site: the folder.
        monkeypatch: takes it away again.
        packages: of the folder; they are imported anew, since an earlier test may have imported other versions of them.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.setattr(catalogue, "plug_ins", cache(plug_ins.__wrapped__))
    invalidate_caches()
