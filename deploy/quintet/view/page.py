"""The page itself: its scripts, where they import each other from, and what it may do."""

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

STATIC: Final[Traversable] = files("quintet.view") / "static"

_VENDORED: Final[Mapping[str, str]] = {
    "preact": "vendor/preact.mjs",
    "preact/hooks": "vendor/hooks.mjs",
    "htm": "vendor/htm.mjs",
}
"""By the name under which scripts import them."""
ENTRY: Final = "main"
"""The script that begins."""

TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
}


@cache
def scripts() -> Mapping[str, str]:
    """The files of all scripts, by the name under which they import each other."""
    ours = sorted(each.name for each in STATIC.iterdir() if each.name.endswith(".js"))
    return {**_VENDORED, **{f"view/{name.removesuffix('.js')}": name for name in ours}}


def read_static(name: str) -> str:
    """A file of the page."""
    return (STATIC / name).read_text(encoding="utf-8")


def hash_source(text: str) -> str:
    """How a content security policy names an inline script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def import_map(urls: Mapping[str, str]) -> str:
    """Where the browser finds scripts: an inline script of the type `importmap`."""
    return json.dumps({"imports": dict(urls)})


def html(*, policy: str, head: str) -> str:
    """The document; without a `policy`, its content security policy comes with the answer. `head` is HTML."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n' if policy else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{meta}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>Quintet</title>\n{head}</head>\n<body>\n<div id="app"></div>\n</body>\n</html>\n'
    )


def safe_json(text: str) -> str:
    """JSON that ends no script element it stands in, whatever texts it has."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
