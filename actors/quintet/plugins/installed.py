"""Whether a module is installed, so that it is found by its name on every machine with the same packages."""

import sys
import sysconfig
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_SITES = {"site-packages", "dist-packages"}


def is_installed(module: str) -> bool:
    """Whether a module is Python's, ours, or in a folder of installed packages; others are a user's own."""
    if is_pythons_or_ours(module):
        return True
    if module == "__main__":
        return False
    file = module_file(module)
    return file is None or bool(_SITES & set(file.parts)) or any(map(file.resolve().is_relative_to, _libraries()))


def is_pythons_or_ours(module: str) -> bool:
    """Whether a module is of Python's library or Quintet's."""
    top = module.partition(".")[0]
    return top in sys.stdlib_module_names or top in sys.builtin_module_names or top == "quintet"


def module_file(module: str) -> Path | None:
    """The file of a module, which is not imported, nor a package around it; None if it has none, or cannot be found."""
    loaded = sys.modules.get(module)
    name: str | None = _find(module) if loaded is None else getattr(loaded, "__file__", None)
    return Path(name).absolute() if name is not None and name.endswith(".py") else None


def _find(module: str) -> str | None:
    top, *rest = module.split(".")  # `find_spec` imports the packages around a module
    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or not rest:
        return None if spec is None else spec.origin
    places = [Path(place, *rest) for place in spec.submodule_search_locations or ()]
    files = [file for place in places for file in (place / "__init__.py", place.with_name(f"{place.name}.py"))]
    return next((str(file) for file in files if file.is_file()), None)


@cache
def _libraries() -> tuple[Path, ...]:
    return tuple(Path(place).resolve() for name, place in sysconfig.get_paths().items() if name.endswith("lib"))
