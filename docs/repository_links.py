"""A hook of the site: pages link to each other and to the repository's files as they do on disk.

On disk `docs/learning.md` links to `../actors/quintet/methods/autoplan/README.md`. On the site `docs/` is the root, so
the files outside of it that any page links to are added beside it, and links to them are rewritten.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")


def _on_disk(uri: str, docs: Path) -> str:
    """Where a page of the site lies in the repository."""
    return f"docs/{uri}" if (docs / uri).is_file() else uri


def _linked(place: str, markdown: str) -> list[str]:
    """What a page links to, as paths in the repository."""
    return [posixpath.normpath(posixpath.join(posixpath.dirname(place), link)) for link in _LINK.findall(markdown)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies outside of `docs/` and is linked to, directly or by another such page."""
    docs = Path(config.docs_dir)
    root = docs.parent
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    seen = set(waiting)
    while waiting:
        place = waiting.pop()
        if not place.endswith(".md"):
            continue
        for target in _linked(place, (root / place).read_text("utf-8")):
            if target in seen or target == "README.md" or target.startswith("docs/") or not (root / target).is_file():
                continue
            seen.add(target)
            waiting.append(target)
            files.append(File.generated(config, target, abs_src_path=str(root / target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite links from the place on disk to the place on the site."""
    uri = page.file.src_uri
    place = _on_disk(uri, Path(config.docs_dir))

    def moved(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), match[1]))
        target = "index.md" if target == "README.md" else target.removeprefix("docs/")
        return posixpath.relpath(target, posixpath.dirname(uri) or ".")

    return _LINK.sub(moved, markdown)
