"""The layout: who may import whom, and that the packages are this repository's own."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import actors
import deploy
import protocols

ROOT = Path(__file__).parents[1]
THIRD_PARTY = {"protocols": {"msgspec"}, "actors": {"msgspec", "pydantic", "gymnasium", "openai", "httpx2", "aiohttp"}}
HEAVY = {"ray", "openai", "scipy", "matplotlib", "gymnasium", "textworld", "alfworld", "fast_downward"}
OURS = {"protocols": {"protocols"}, "actors": {"protocols", "actors"}}


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: expected absolute imports, got a relative one in line {node.lineno}"
            yield (node.module or "").split(".")[0]


def test_protocols_and_actors_import_only_what_they_may() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} imports {name}"
        for package in OURS
        for file in (ROOT / package).rglob("*.py")
        for name in _imports(file)
        if name not in OURS[package] | THIRD_PARTY[package] and name not in sys.stdlib_module_names
    ]
    assert wrong == []


def test_only_the_ray_runtime_imports_ray() -> None:
    files = {file.parent for file in (ROOT / "deploy").rglob("*.py") if "ray" in _imports(file)}
    assert files == {ROOT / "deploy" / "cluster"}


def test_each_package_is_this_repositorys_own() -> None:
    for package in (protocols, actors, deploy):
        assert Path(package.__file__ or "").is_relative_to(ROOT)


def test_every_test_folder_is_a_package() -> None:
    folders = {file.parent for file in (ROOT / "tests").rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


@pytest.mark.parametrize("command", ["--help", "eval --help", "list studies", "eval adapt textcraft --tasks stick"])
def test_neither_the_help_nor_a_local_run_imports_anything_heavy(command: str, tmp_path: Path) -> None:
    code = (
        "import sys; from deploy.cli import main; code = main(sys.argv[1:]); "
        f"heavy = {HEAVY!r} & set(sys.modules); sys.exit(f'imported {{heavy}}' if heavy else code)"
    )
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-c", code, *command.split()],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout
