"""Distributions that register plug-ins, installed for one test."""

import sys
from collections.abc import Mapping
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
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    monkeypatch.setattr(catalogue, "plug_ins", plug_ins.__wrapped__)
    invalidate_caches()
