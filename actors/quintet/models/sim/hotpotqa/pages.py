"""What a reader knows of the pages after some steps: their sentences, what was not found, and the answer it gave."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from quintet.models.sim.transcript import Exchange

_ACT = re.compile(r"(?P<verb>search|lookup|finish)\[(?P<of>.*)\]", re.IGNORECASE | re.DOTALL)
_NOT_FOUND = re.compile(
    r"could not find\b.*?(?:\bsimilar:|\bavailable\b[^:]*:)\s*(?P<similar>.*)\Z", re.IGNORECASE | re.DOTALL
)
_MISSING = re.compile(r"could not find\b", re.IGNORECASE)
_RESULT = re.compile(r"\(result (?P<at>\d{1,4}) ?/ ?(?P<of>\d{1,4})\)\s*(?P<sentence>.+)", re.IGNORECASE | re.DOTALL)
_NO_MORE = re.compile(r"no (?:more )?results\b", re.IGNORECASE)
FOUND_NOTHING = re.compile(r"invalid action\b|could not find\b|the last page searched\b", re.IGNORECASE)
"""Begins an answer to what led to nothing."""
_ENDED = re.compile(r"(?:episode finished|the task has ended|answer is (?:in)?correct)\b", re.IGNORECASE)
_LISTED = re.compile(r"'((?:[^'\\]|\\.|'(?=\w))*)'|\"((?:[^\"\\]|\\.)*)\"")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’')\]]?\s+(?=[\"“‘'(\[]?[A-Z0-9])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Z]|[A-Z]\.[A-Z]|Dr|Mr|Mrs|Ms|St|Mt|Jr|Sr|No|vs|c|b|d|ca|est|approx|feat|Inc|Ltd|Co|Prof|Rev|Gen|Col|Capt))\.\Z"
)
_DATE = r"(?:c\. )?(?:\d{1,2} )?(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?\d{3,4}"
_NAME = r"\A(?P<name>(?:[^\s()]+ ){1,6})"
_LIFE = re.compile(rf"{_NAME}\((?:born )?(?P<born>{_DATE})\s*(?:[-–—]|to)\s*(?P<died>{_DATE})\)")
_BIRTH = re.compile(rf"{_NAME}\(b\. ?(?P<born>{_DATE})\)")
_BRACKETS = re.compile(r"\s*\([^)]*\)\s*\Z")

SHOWN = 5
"""So many sentences of a page are shown at first, as the papers' tool does; a page that shows so many may go on."""


@dataclass
class ReadPage:
    """A page that was opened, as far as it was read."""

    title: str
    sentences: list[str] = field(default_factory=list[str])
    looked_up: set[str] = field(default_factory=set[str])
    """Keywords whose sentences were all seen."""

    def read(self, sentences: Iterable[str]) -> None:
        """Add sentences that are new. Dates in brackets behind a person's name are read as birth and death."""
        for sentence in sentences:
            said = _BIRTH.sub(r"\g<name>(born \g<born>)", sentence)
            said = _LIFE.sub(r"\g<name>(born \g<born>, died \g<died>)", said)
            if said not in self.sentences:
                self.sentences.append(said)


@dataclass
class Notebook:
    """What was read. It comes from observations alone: a page that was not opened says nothing."""

    pages: dict[str, ReadPage] = field(default_factory=dict[str, ReadPage])
    """By their titles as keys, in the order in which they were opened."""
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """By what was searched in vain, in lower case: the similar titles that were offered."""
    searched_for: dict[str, str] = field(default_factory=dict[str, str])
    """By the key of a similar title that was opened: what was searched first, in lower case."""
    here: ReadPage | None = None
    answer: str | None = None
    """What was given as the answer at the end."""
    refused: set[str] = field(default_factory=set[str])
    """Actions that were no actions."""

    @property
    def efforts(self) -> int:
        """How many searches and look-ups came to an end."""
        return len(self.pages) + len(self.missing) + sum(len(page.looked_up) for page in self.pages.values())

    def learn(self, step: Exchange) -> None:
        """Take in one step."""
        act = _ACT.search(step.action)
        said = step.observation.strip()
        if act is None or not said or said.lower().startswith("invalid action"):
            self.refused.add(step.action)
            return
        verb, of = act["verb"].lower(), act["of"].strip()
        if verb == "finish":
            self.answer = of if _ENDED.search(said) else self.answer
        elif verb == "search":
            self._search(of, said)
        elif self.here is not None:
            self._look_up(self.here, of, said)

    def tried(self, title: str) -> bool:
        """Whether a title was searched."""
        return key_of(title) in self.pages or title.lower() in self.missing

    def _search(self, title: str, said: str) -> None:
        key = key_of(title)
        if _MISSING.match(said):
            listed = _NOT_FOUND.match(said)
            self.missing[title.lower()] = _titles_in(listed["similar"]) if listed else ()
            return
        for searched, similar in self.missing.items():
            if key in map(key_of, similar):
                self.searched_for.setdefault(key, searched)
        self.here = self.pages.setdefault(key, ReadPage(title))
        self.here.read(sentences_in(said))

    def _look_up(self, page: ReadPage, keyword: str, said: str) -> None:
        result = _RESULT.match(said)
        if result is not None:
            page.read([" ".join(result["sentence"].split())])
        if _NO_MORE.match(said) or (result is not None and result["at"] == result["of"]):
            page.looked_up.add(keyword.lower())


def notebook_after(steps: Iterable[Exchange]) -> Notebook:
    """What follows from the steps that were read."""
    notebook = Notebook()
    for step in steps:
        notebook.learn(step)
    return notebook


def _titles_in(text: str) -> tuple[str, ...]:
    found = tuple((one or other).replace("\\'", "'") for one, other in _LISTED.findall(text))
    return found or tuple(filter(None, (part.strip(" []'\".") for part in text.split(","))))


@lru_cache(maxsize=16384)
def sentences_in(text: str) -> tuple[str, ...]:
    """The sentences of a text. An initial or an abbreviation ends none."""
    found: list[str] = []
    for part in _SENTENCE_END.split(" ".join(text.split())):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        elif part:
            found.append(part)
    return tuple(found)


@lru_cache(maxsize=65536)
def key_of(title: str) -> str:
    """A title in lower-case words."""
    return " ".join(re.findall(r"\w+", title.lower()))


@lru_cache(maxsize=65536)
def bare(title: str) -> str:
    """The key of a title without `the` before it, and without what stands in brackets at its end."""
    return key_of(_BRACKETS.sub("", title)).removeprefix("the ") or key_of(title)


def names_same(one: str, other: str) -> bool:
    """Whether two titles may name the same thing: brackets at the end only tell namesakes apart."""
    return bare(one) == bare(other) and ("(" not in one or "(" not in other or key_of(one) == key_of(other))


def mentions(text: str, name: str) -> bool:
    """Whether a text has the words of a name."""
    return f" {bare(name)} " in f" {_plain(text)} "


@lru_cache(maxsize=16384)
def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
