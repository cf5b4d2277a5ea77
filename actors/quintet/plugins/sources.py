"""A user's module and the modules beside it that it imports: read from their files, and imported from what was read.

The same bytes are hashed for the run's record, executed here, and sent to Ray's hosts to be executed there.
"""

import ast
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import decode_source, spec_from_loader
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import NamedTuple, TypeAlias

from quintet.errors import UsageError, one_line
from quintet.plugins.files import read_regular

_LARGEST = 2**22
"""Bytes of a module."""


class SourceModule(NamedTuple):
    """A module as its file reads."""

    file: str
    """Absolute; of a folder without `__init__.py` the folder."""
    content: bytes | None
    """None: a folder without `__init__.py`."""
    package: bool = False

    @property
    def sha256(self) -> str:
        """Of its content, as `sha256sum` prints it."""
        return sha256(self.content or b"").hexdigest()


Sources: TypeAlias = Mapping[str, SourceModule]
"""By the name under which a module is imported."""


def module_name(file: Path) -> str:
    """The name of a file's module: with the packages that it lies in, if any."""
    name, _ = _locate(file)
    return name


def import_root(file: Path) -> Path:
    """The folder that a file's module is imported from: that of the file, or of the package it lies in."""
    _, root = _locate(file)
    return root


def read_sources(file: Path, *, within: str | None = None) -> dict[str, SourceModule]:
    """Read a module, and every module beside it, or beside the package it lies in, that it imports in any place.

    Args:
        within: only modules of this package, for one that is installed among others.

    Raises:
        UsageError: a file cannot be read, is no Python, or is named like a module of Python's.
    """
    first, root = _locate(file)
    if _is_reserved(first):
        raise UsageError(f"{file}: expected a file with a name of its own, got that of Python's or Quintet's {first!r}")
    found = {first: _read_file(file)}
    waiting = [first, *_imports(first, found[first])]
    while waiting:
        for name in _with_parents(waiting.pop()):
            if name in found or _is_reserved(name) or (within and name.partition(".")[0] != within):
                continue
            module = _find(root.joinpath(*name.split(".")))
            if module is None:  # an attribute, or a module from elsewhere
                break
            found[name] = module
            waiting += _imports(name, module)
    return {name: module for name, module in found.items() if module.content is not None or _holds(name, found)}


def source_texts(sources: Sources, folder: Path) -> dict[str, bytes]:
    """The content of modules by their files, relative to the folder that they are imported from."""
    return {
        os.path.relpath(module.file, folder): module.content
        for module in sources.values()
        if module.content is not None
    }


def digests(texts: Mapping[str, bytes]) -> dict[str, str]:
    """SHA-256 of each text, sorted by name."""
    return {name: sha256(text).hexdigest() for name, text in sorted(texts.items())}


def load_module(file: Path, sources: Sources | None = None) -> ModuleType:
    """Import a file, anew if it or a module beside it has changed.

    Args:
        sources: what `read_sources` read of it; None: it is read now.

    Raises:
        UsageError: see `read_sources`; or it raises while it is imported, which names its own line.
    """
    sources = read_sources(file) if sources is None else sources
    use_sources(sources)
    try:
        return import_module(module_name(file))
    except (Exception, SystemExit) as error:  # a user's module may raise anything
        ours = {module.file for module in sources.values()}
        lines = [frame for frame in extract_tb(error.__traceback__) if frame.filename in ours]
        where = f"{lines[-1].filename}, line {lines[-1].lineno}" if lines else str(file)
        got = f"{type(error).__name__}: {one_line(error)}"
        raise UsageError(f"{where}: expected a module that can be imported, got {got}") from error


def use_sources(sources: Sources) -> None:
    """Import these modules from now on from what was read; a `UsageError` if another of that name was imported."""
    for name, module in sources.items():
        _refuse_another(name, module)
    if any(_FINDER.sources.get(name) != module for name, module in sources.items()):
        for name in sources:
            if _is_from_sources(sys.modules.get(name)):
                del sys.modules[name]
    _FINDER.sources.update(sources)
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def used_sources() -> dict[str, SourceModule]:
    """All that this process imports from what was read, for a process that it starts."""
    return dict(_FINDER.sources)


class _SourceLoader(ExecutionLoader):
    def __init__(self, module: SourceModule) -> None:
        self._module = module

    def get_filename(self, fullname: str) -> str:
        return self._module.file

    def get_source(self, fullname: str) -> str:
        return decode_source(self._module.content or b"")

    def is_package(self, fullname: str) -> bool:
        return self._module.package


class _SourceFinder(MetaPathFinder):
    def __init__(self) -> None:
        self.sources: dict[str, SourceModule] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        module = self.sources.get(fullname)
        if module is None:
            return None
        if module.content is None:
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [module.file]
            return spec
        return spec_from_loader(fullname, _SourceLoader(module))


_FINDER = _SourceFinder()


def _is_from_sources(module: ModuleType | None) -> bool:
    return isinstance(getattr(module, "__loader__", None), _SourceLoader)


def _refuse_another(name: str, module: SourceModule) -> None:
    loaded = sys.modules.get(name)
    if loaded is None or _is_from_sources(loaded):
        return
    places = [loaded.__file__] if getattr(loaded, "__file__", None) else list(getattr(loaded, "__path__", []))
    if not any(place is not None and Path(place).resolve() == Path(module.file) for place in places):
        got = places[0] if places else "one that is built in"
        raise UsageError(
            f"module {name}: expected {module.file}, got {got}, which this program has imported; rename one"
        )


def _locate(file: Path) -> tuple[str, Path]:
    parts = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def _find(place: Path) -> SourceModule | None:
    package = place / "__init__.py"
    if package.is_file():
        return _read_file(package)
    if (file := place.with_name(f"{place.name}.py")).is_file():
        return _read_file(file)
    return SourceModule(str(place), None, package=True) if place.is_dir() else None


def _read_file(file: Path) -> SourceModule:
    try:
        return SourceModule(str(file), read_regular(file, _LARGEST), package=file.stem == "__init__")
    except FileNotFoundError as error:
        raise UsageError(f"no such file: {file}") from error
    except OSError as error:
        raise UsageError(f"{file}: expected a Python file, got {error.strerror or error}") from error
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from error


def _imports(name: str, module: SourceModule) -> Iterator[str]:
    """What a module imports, by any statement in it: names of modules, and of what may be a module."""
    if module.content is None:
        return
    try:
        tree = ast.parse(module.content, module.file)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise UsageError(f"{module.file}{line}: expected Python, got {one_line(error)}") from error
    package = name.split(".") if module.package else name.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)
            yield base


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:length]) for length in range(1, len(parts) + 1) if all(parts))


def _holds(name: str, found: Sources) -> bool:
    return any(other.startswith(f"{name}.") and module.content is not None for other, module in found.items())


def _is_reserved(name: str) -> bool:
    top = name.partition(".")[0]
    return top in sys.stdlib_module_names or top == "quintet"
