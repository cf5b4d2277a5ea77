"""What is taken of the package `miniwob`: its pages. None of its Python is imported.

It asks for selenium and gymnasium, which no page needs, so it is installed without them.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from quintet.plugins.extras import require_modules

_PACKAGE: Final = "miniwob"
_INSTALL: Final = "pip install --no-deps miniwob"
_PAGES: Final = "miniwob"
_SHARED: Final = ("core", "common")
"""Folders of what pages load."""
_PICTURE: Final = re.compile(r"""\burl\(["']?([\w./-]+\.png)["']?\)""")
"""A file that a style names, by its place beside the page or the style sheet."""


def miniwob_version() -> str:
    """The version of the installed package.

    Raises:
        PackageMissing: it is not installed; the text has the command that installs it.
    """
    require_modules((_PACKAGE,), _INSTALL, "miniwob")
    return version(_PACKAGE)


@cache
def page_names() -> tuple[str, ...]:
    """The names of all pages, in the order of the alphabet."""
    return tuple(sorted(file.stem for file in (_html() / _PAGES).glob("*.html")))


def page_path(name: str) -> str:
    """A page's place among the package's files."""
    return f"{_PAGES}/{name}.html"


def package_file(path: str) -> Path | None:
    """A file that pages may load; None: there is none at this place."""
    file = (_html() / path).resolve()
    return file if file.is_relative_to(_html()) and file.is_file() else None


@cache
def text_with_pictures(file: Path) -> str:
    """A page or a style sheet, in which styles have their pictures and do not name their files.

    An icon has the size of its picture, and some change it below the mouse: until a file had come, which takes the
    machine's own time, it would not be seen and would take no click.
    """
    return _PICTURE.sub(
        lambda named: _picture(package_file(str(file.parent / named[1]))) or named[0], file.read_text("utf-8")
    )


def page_contents(names: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Some pages and all that they may load: each file's place, and what is in it."""
    shared = (file for folder in _SHARED for file in (_html() / folder).rglob("*") if file.is_file())
    for file in sorted((*(_html() / page_path(name) for name in names), *shared)):
        yield str(file.relative_to(_html())), file.read_bytes()


def _picture(file: Path | None) -> str:
    """A picture as styles have it; empty: there is none."""
    return "" if file is None else f"url(data:image/png;base64,{b64encode(file.read_bytes()).decode()})"


@cache
def _html() -> Path:
    found = find_spec(_PACKAGE)
    assert found is not None
    assert found.origin is not None
    return (Path(found.origin).parent / "html").resolve()
