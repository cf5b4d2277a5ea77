"""`new`: write a package with a method, an environment, a role or a model, to begin from."""

import re
import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Literal, TypeAlias

from quintet.cli.console import notify
from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.entry_points import Kind
from quintet.runs.files import usable_folder

Template: TypeAlias = Literal["method", "environment", "role", "model"]

_TEMPLATES = Path(__file__).parents[1] / "templates"
_ENDING = ".template"
_KINDS: dict[Template, Kind] = {"method": "method", "role": "method", "environment": "environment", "model": "model"}


def new_command(kind: Template, folder: Path) -> int:
    """Write a package that works: code, prompts, and a test that runs the contract.

    Args:
        kind: method, environment, role (a method that brings a role of its own) or model.
        folder: New or empty. Its name becomes that of the package: letters, digits, - and _.
    """
    words = re.findall(r"[a-z0-9]+", name := folder.resolve().name.lower().replace("_", "-"))
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(f"folder: expected a name of letters, digits, '-' and '_', got {folder.resolve().name!r}")
    package, written = "_".join(words), "".join(word.capitalize() for word in words)
    templates = sorted((_TEMPLATES / kind).rglob(f"*{_ENDING}"))
    if package in sys.stdlib_module_names or package == "tests" or find_spec(package) is not None:
        raise UsageError(f"folder: expected a name that no other module has, got {package!r}")
    if iskeyword(package) or iskeyword(written):
        raise UsageError(f"folder: expected a name that is no word of Python's own, got {name!r}")
    if any(re.search(rf"\b{written}\b", template.read_text(encoding="utf-8")) for template in templates):
        raise UsageError(f"folder: expected a name that what is written does not use itself, got {name!r}")
    if (target := catalogue.target(_KINDS[kind], name)) is not None:
        raise UsageError(f"folder: expected a name of its own, got {name!r}, which is {target}")
    named = {"new_name": package, "NewName": written, "new-name": name}
    with usable_folder(folder, "folder", "made"):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"folder: expected a new or empty one, got one with something in it ({folder})")
        for template in templates:
            place = str(template.relative_to(_TEMPLATES / kind)).removesuffix(_ENDING)
            file = folder / _renamed(place, named)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_renamed(template.read_text(encoding="utf-8"), named), encoding="utf-8")
    notify(f"{kind}: {folder}; what to do next is in {folder / 'README.md'}")
    return 0


def _renamed(text: str, named: dict[str, str]) -> str:
    for old, new in named.items():
        text = text.replace(old, new)
    return text
