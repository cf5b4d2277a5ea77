"""The layout: who may import whom, one namespace package of three roots, and every public name defined once."""

import ast
import os
import resource
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import quintet

ROOT = Path(__file__).parents[1]
ROOTS = ("protocols", "actors", "deploy")
THIRD_PARTY = {
    "protocols": {"msgspec"},
    "actors": {
        "msgspec",
        "pydantic",
        "gymnasium",
        "openai",
        "httpx2",
        "aiohttp",
        "jsonschema",
        "cloudpickle",
        "any_llm",
        "rapidfuzz",
        "spacy",
        "Stemmer",
        "jinja2",
        "playwright",
        "referencing",
    },
}
_ENVIRONMENTS = ROOT / "actors" / "quintet" / "environments"
ONLY_IN = {
    "numpy": _ENVIRONMENTS / "webshop" / "search",
    **dict.fromkeys(("mcp", "mcp_types", "anyio"), _ENVIRONMENTS / "mcp"),
}
"""Packages that one folder of actors/ may import besides. docs/decisions/worlds.md says why."""
HEAVY = {
    "ray",
    "numpy",
    "openai",
    "any_llm",
    "scipy",
    "matplotlib",
    "gymnasium",
    "textworld",
    "alfworld",
    "fast_downward",
    "genai_prices",
    "pytest",
    "playwright",
    "jinja2",
    "mcp",
}


def _packages(root: str) -> set[str]:
    return {folder.name for folder in (ROOT / root / "quintet").iterdir() if (folder / "__init__.py").is_file()}


PACKAGES = {root: _packages(root) for root in ROOTS}
OURS = {"protocols": PACKAGES["protocols"], "actors": PACKAGES["protocols"] | PACKAGES["actors"]}


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@cache
def _imports(file: Path) -> tuple[str, ...]:
    """What a file imports: the package, and of ours `quintet.package`."""
    return tuple(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: expected absolute imports, got a relative one in line {node.lineno}"
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "quintet" else [module]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            yield f"quintet.{rest.partition('.')[0]}" if first == "quintet" else first


def _allowed(root: str, name: str) -> bool:
    if name.startswith("quintet."):
        return name.removeprefix("quintet.") in OURS[root]
    return name in THIRD_PARTY[root] or name in sys.stdlib_module_names


def test_protocols_and_actors_import_only_what_they_may() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} imports {name}"
        for root in OURS
        for file in (ROOT / root).rglob("*.py")
        for name in _imports(file)
        if not _allowed(root, name) and not (name in ONLY_IN and file.is_relative_to(ONLY_IN[name]))
    ]
    assert wrong == []


def test_only_the_ray_runtime_imports_ray() -> None:
    files = {file.parent for file in (ROOT / "deploy").rglob("*.py") if "ray" in _imports(file)}
    assert files == {ROOT / "deploy" / "quintet" / "cluster"}


def test_no_two_rooms_of_deploy_need_each_other() -> None:
    needs: defaultdict[str, set[str]] = defaultdict(set)
    for file in (ROOT / "deploy" / "quintet").rglob("*.py"):
        room = file.relative_to(ROOT / "deploy" / "quintet").parts[0]
        rooms = {name.removeprefix("quintet.") for name in _imports(file) if name.startswith("quintet.")}
        needs[room] |= rooms & PACKAGES["deploy"] - {room}
    tuple(TopologicalSorter(needs).static_order())  # a cycle raises, and the error names its rooms


def test_quintet_is_one_namespace_package_of_three_roots_with_no_package_twice() -> None:
    assert {Path(place) for place in quintet.__path__} == {ROOT / root / "quintet" for root in ROOTS}
    assert [file for root in ROOTS for file in (ROOT / root / "quintet").glob("*.py")] == []
    names = [name for root in ROOTS for name in PACKAGES[root]]
    assert sorted(names) == sorted(set(names))


def test_every_folder_with_code_is_a_package_and_every_package_of_ours_is_typed() -> None:
    folders = {file.parent for root in (*ROOTS, "tests") for file in (ROOT / root).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []
    packages = [ROOT / root / "quintet" / name for root in ROOTS for name in PACKAGES[root]]
    assert [package for package in packages if not (package / "py.typed").is_file()] == []


def _defined(file: Path) -> Iterator[str]:
    for node in _parsed(file).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def test_a_public_name_is_defined_once() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for root in ROOTS:
        for file in (ROOT / root).rglob("*.py"):
            for name in _defined(file):
                if not name.startswith("_"):
                    found[name].append(str(file.relative_to(ROOT)))
    assert {name: sorted(files) for name, files in found.items() if len(files) > 1} == {}


STARTS = {
    "import quintet.api": "import quintet.api",
    "quintet --help": "from quintet.cli import main; main(['--help'])",
}
"""What starts without the machinery."""
SLOW = HEAVY | {"aiohttp", "httpx2", "rapidfuzz", "quintet.reports", "quintet.launch", "quintet.config"}
_IN_TURN = f"""
import sys
def refuse(packages):
    if found := packages & set(sys.modules):
        sys.exit(f"imported {{found}}")
{"; ".join(STARTS.values())}
refuse({SLOW!r})
for command in ("list studies", "eval adapt textcraft --tasks stick"):
    assert main(command.split()) == 0
    refuse({HEAVY!r})
"""


def test_neither_a_start_nor_a_local_run_imports_more_than_it_needs(tmp_path: Path) -> None:
    called = [sys.executable, "-c", _IN_TURN]
    result = subprocess.run(called, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_a_start_costs_at_most_twice_what_its_libraries_cost() -> None:
    programs = {**STARTS, "libraries": "import cyclopts, rich.console, msgspec, pydantic"}
    least = dict.fromkeys(programs, float("inf"))
    for _ in range(5):  # in turn, so that a busy machine is busy for all of them
        for name, code in programs.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
            spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            least[name] = min(least[name], spent)
        if all(least[name] <= 2 * least["libraries"] for name in STARTS):
            return
    raise AssertionError(least)
