"""Actions to try in a world: likely ones, found in its texts and in prompts, and malformed ones."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts

_SHOWN = re.compile(r"^\s*Action\s*:\s*(.+?)\s*$", re.MULTILINE)
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|'([^'\n]+)'")
_MOST = 200

MALFORMED_TEXTS = (
    "",
    " ",
    "\n",
    "\x00",
    "\x1b[31m\x07\x7f",
    "\u202e\u0111\u00a4 \u6f22\u5b57 \U0001f469\u200d\U0001f680",
    "%s {0} \\1 $(x)",
    "x" * 10_000,
    "9" * 10_000,
    "(" * 10_000,
    " " * 10_000 + "x",
    ", " * 5_000,
    "Action:",
    "Step 1:",
    "a\nb\r\nc\u2028d",
)
"""For actions and for prompts alike."""

LONE_SURROGATE = "\ud800"
"""UTF-8 cannot encode it, but a Python text, and so a model's completion, may contain it."""


@lru_cache(maxsize=4096)  # a conversation is read anew at each of its turns
def candidate_actions(text: str) -> tuple[str, ...]:
    """Texts that may be actions, likeliest first: after `Action:`, in quotes, lines and their parts, single words."""
    return tuple(dict.fromkeys(action for action in _candidates(text) if action))[:_MOST]


def _candidates(text: str) -> Iterator[str]:
    yield from _SHOWN.findall(text)
    for quoted in _QUOTED.findall(text):
        yield from quoted
    for line in text.splitlines():
        for part in (line, *re.split(r"[:;,.]", line), *line.split()):
            yield part.strip(" -*>.,:;!?()")


def actions_in_prompts(world: str) -> tuple[str, ...]:
    """The actions in the prompts that all methods, plug-ins included, have for a world."""
    found: list[str] = []
    for name in catalogue.names("method"):
        with suppress(UsageError), catalogue.as_plug_in_error("method", name, "prompts"):
            method = catalogue.method(name)
            prompts = find_prompts(method, world)
            for prompt in prompts.names:
                found += _SHOWN.findall(prompts.text(prompt))
    return tuple(dict.fromkeys(found))
