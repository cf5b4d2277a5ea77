"""Notes: an action that takes a text down for later, `note_down [text]`. It is the agent's own, not the world's.

Source: Devil's Advocate, section 4.1 and appendix.
"""

import re

_NOTE = re.compile(r"note[ \t_-]?down\b[ \t*_`\"']*[:：]?[ \t]*(?P<text>[^\n]*+)", re.IGNORECASE)
_BRACKET = re.compile(r"[\[\]]")
_AROUND = " \t*_`\"'“”‘’()<>{}"


def as_note(line: str) -> str:
    """The action `note_down [text]` in a line that begins with one, however it is dressed; empty if it does not.

    Args:
        line: any text. What stands behind the closing bracket is left off; without one, the rest of the line is noted.
    """
    text = read_note(line)
    return f"note_down [{text}]" if text else ""


def read_note(action: str) -> str | None:
    """The text that an action notes down, empty if it has none; None: the action is another one."""
    found = _NOTE.match(action.lstrip("`*_\"'[(<“ \t"))
    return _inside(found["text"]).strip(_AROUND) if found else None


def _inside(text: str) -> str:
    """The text in the brackets that a text begins with; all of it where there are none, or they stay open."""
    if not text.startswith("["):
        return text
    depth = 0
    for border in _BRACKET.finditer(text):
        depth += 1 if border[0] == "[" else -1
        if not depth:
            return text[1 : border.start()]
    return text[1:]
