"""What happened beside an action, in plain sentences: a dialog, a refused download, a page that did not load."""

from typing import Final

_MOST: Final = 8
_LONGEST: Final = 200


class WindowNotes:
    """Sentences since they were last taken; at most a few, since a page may open dialogs without end."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._more = 0

    def add(self, sentence: str) -> None:
        """Add a sentence; one that is there already is not repeated."""
        if sentence in self._sentences:
            return
        if len(self._sentences) < _MOST:
            self._sentences.append(sentence)
        else:
            self._more += 1

    def take(self) -> tuple[str, ...]:
        """The sentences, oldest first, which are then forgotten."""
        more = (f"{self._more} more things happened.",) if self._more else ()
        taken = (*self._sentences, *more)
        self._sentences, self._more = [], 0
        return taken


def quoted(words: str) -> str:
    """A page's own words within a sentence: one line, printable, cut."""
    line = " ".join(words[: 10 * _LONGEST].split())
    plain = "".join(sign for sign in line if sign.isprintable())
    return f'"{plain if len(plain) <= _LONGEST else plain[: _LONGEST - 3] + "..."}"'
