"""A page of the encyclopedia, and the words of its title."""

import re
import unicodedata

from msgspec import Struct

_WORD = re.compile(r"[^\W_]+")
_MOST = 1_000
"""Characters of a title that are compared; no title is nearly so long."""


class CorpusPage(Struct, frozen=True):
    """One page: its title and the sentences of its text."""

    title: str
    sentences: tuple[str, ...]

    @property
    def lists_others(self) -> bool:
        """It is a list of pages with one name."""
        return "may refer to:" in self.sentences[0] if self.sentences else False

    def with_keyword(self, keyword: str) -> list[str]:
        """The sentences that contain a text, in either case."""
        sought = keyword.lower()
        return [sentence for sentence in self.sentences if sentence and sought in sentence.lower()]


def clean_line(text: str) -> str:
    """A text with single blanks, which UTF-8 can encode."""
    return " ".join(text.encode(errors="replace").decode().split())


def title_key(title: str) -> str:
    """A title without case, accents and runs of blanks, by which a search finds it."""
    plain = unicodedata.normalize("NFKD", title[:_MOST].replace("_", " ").casefold())
    return " ".join("".join(sign for sign in plain if not unicodedata.combining(sign)).split())


def title_words(title: str) -> list[str]:
    """The different words of a title, in order."""
    return list(dict.fromkeys(_WORD.findall(title_key(title))))
