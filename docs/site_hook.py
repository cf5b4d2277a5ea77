"""A hook of the site: pages link to each other and to the repository's files as they do on disk.

A comment such as `<!-- quintet list settings -->` becomes what the command lists. Guides come before records of
decisions and references in what a search finds.

On disk `docs/learning.md` links to `../actors/quintet/methods/autoplan/README.md`. On the site `docs/` is the root, so
the files outside of it that any page links to are added beside it, and links to them are rewritten.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from quintet.cli.list import Listed, list_lines

_LISTED = re.compile(r"^<!-- quintet list (\w+) -->$", re.MULTILINE)
_FOUND_LATER = {"decisions/": 0.2, "reference/": 0.5, "architecture": 0.5}
"""What the search's score of a page is multiplied by, by the beginning of its place."""
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
    """Rewrite links from the place on disk to the place on the site, and write what is listed."""
    uri = page.file.src_uri
    for beginning, boost in _FOUND_LATER.items():
        if uri.startswith(beginning):
            page.meta["search"] = {"boost": boost}
    markdown = _LISTED.sub(lambda match: "\n".join(_listed(cast("Listed", match[1]))), markdown)
    place = _on_disk(uri, Path(config.docs_dir))

    def moved(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), match[1]))
        target = "index.md" if target == "README.md" else target.removeprefix("docs/")
        return posixpath.relpath(target, posixpath.dirname(uri) or ".")

    return _LINK.sub(moved, markdown)


def _listed(what: Listed) -> Iterator[str]:
    for line in list_lines(what).splitlines():
        head, colon, said = line.strip().partition(": ")
        if line.startswith(" "):
            yield f"- `{head}`{colon}{said}"
        else:
            yield f"\n### `{head}`\n\n{said}\n"
