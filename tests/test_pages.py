"""Links between pages and references to decisions lead somewhere; the architecture names every room, in short cells."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("protocols", "actors", "deploy", "tests", "docs", "benchmarks", "examples")
DECISIONS = ROOT / "docs" / "decisions"
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_REFERENCE = re.compile(r"docs/decisions/[\w./-]*\w(?:#[\w-]+)?")


def _files(*endings: str) -> Iterator[Path]:
    yield from (file for file in ROOT.iterdir() if file.suffix in endings or file.name in endings)
    for folder in FOLDERS:
        yield from (file for file in (ROOT / folder).rglob("*") if file.suffix in endings and file.is_file())


@cache
def _anchors(page: Path) -> frozenset[str]:
    """What can be linked to on a page: its headings, as forges and the site write them."""
    headings = re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text()), re.MULTILINE)
    words = (re.sub(r"[^\w\s-]", "", re.sub(r"\]\([^)]*\)", "", heading).lower()).strip() for heading in headings)
    return frozenset(re.sub(r"\s", "-", word) for word in words)


def _leads_nowhere(target: str, folder: Path) -> bool:
    path, _, anchor = target.partition("#")
    page = folder / path
    return not page.exists() or (bool(anchor) and anchor not in _anchors(page.resolve()))


def test_every_link_of_a_page_leads_to_a_file_and_a_heading() -> None:
    wrong = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in _files(".md")
        for link in _LINK.findall(_FENCED.sub("", page.read_text()))
        if "://" not in link and _leads_nowhere(link if not link.startswith("#") else page.name + link, page.parent)
    ]
    assert wrong == []


def test_every_reference_from_code_to_a_decision_leads_to_one() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}: {reference}"
        for file in _files(".py", ".toml", ".yml", ".txt", ".sh", "Makefile")
        for reference in _REFERENCE.findall(file.read_text(errors="replace"))
        if file != Path(__file__) and _leads_nowhere(reference, ROOT)
    ]
    assert wrong == []


def test_the_index_of_decisions_names_every_page() -> None:
    named = re.findall(r"^\| \[.+\]\((.+)\) \|", (DECISIONS / "index.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(page.name for page in DECISIONS.glob("*.md") if page.name != "index.md")


def test_the_architecture_names_every_room() -> None:
    chapter = (ROOT / "docs" / "architecture.md").read_text().split("## Rooms")[1].split("\n## ")[0]
    for part in re.split(r"^### ", chapter, flags=re.MULTILINE)[1:]:
        root = re.findall(r"`(.+?)`", part)[0]
        files = (file.relative_to(ROOT / root) for file in (ROOT / root).rglob("*") if file.is_file())
        rooms = {file.parts[0] for file in files if file.suffix != ".pyc"}
        assert set(re.findall(r"^\| `(\w+)`", part, re.MULTILINE)) == rooms


def test_no_cell_of_the_architecture_is_longer_than_a_reader_in_a_hurry_reads() -> None:
    pages = [ROOT / "docs" / "architecture.md", *(ROOT / "docs" / "architecture").glob("*.md")]
    cells = [
        cell for page in pages for line in page.read_text().splitlines() if line[:1] == "|" for cell in line.split("|")
    ]
    assert [cell for cell in cells if len(cell) > 300] == []
