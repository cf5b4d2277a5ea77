"""What others wrote of the viewer's page: packages of npm, unmodified. `make vendor` fetches them anew."""

import hashlib
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

VENDOR = Path(__file__).parents[2] / "deploy" / "quintet" / "view" / "static" / "vendor"
MANIFEST = VENDOR / "vendored.json"


class Package(NamedTuple):
    """A package of npm: which of its files are here, under which name, and the SHA-256 of each."""

    name: str
    version: str
    licence: str
    files: Mapping[str, str]
    """By the name here, the path in the package."""
    sha256: Mapping[str, str]
    """By the name here."""


def packages() -> list[Package]:
    return [Package(**each) for each in json.loads(MANIFEST.read_text(encoding="utf-8"))]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def fetch() -> None:
    """Fetch every package at its pinned version, with npm, and write its files and their hashes."""
    found: list[Package] = []
    for package in packages():
        with tempfile.TemporaryDirectory() as folder:
            pinned = f"{package.name}@{package.version}"
            said = subprocess.run(
                ["npm", "pack", "--silent", pinned], cwd=folder, check=True, capture_output=True, text=True
            ).stdout
            with tarfile.open(Path(folder) / said.split()[-1]) as archive:
                contents = {name: _read(archive, f"package/{path}") for name, path in package.files.items()}
        for name, content in contents.items():
            (VENDOR / name).write_bytes(content)
        found.append(package._replace(sha256={name: sha256(content) for name, content in contents.items()}))
    MANIFEST.write_text(json.dumps([each._asdict() for each in found], indent=2) + "\n", encoding="utf-8")


def _read(archive: tarfile.TarFile, path: str) -> bytes:
    file = archive.extractfile(path)
    assert file is not None, f"expected {path} in the package, found none"
    return file.read()


if __name__ == "__main__":
    fetch()
