"""Texts that may be actions of a world, gleaned from what it says and from what methods show of it."""

import re
from collections.abc import Iterator
from contextlib import suppress

from quintet.errors import UsageError
from quintet.methods.base.prompts import Prompts
from quintet.plugins import catalogue

_SHOWN = re.compile(r"^\s*Action\s*:\s*(.+?)\s*$", re.MULTILINE)
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|'([^'\n]+)'")
_MOST = 200


def gleaned(text: str) -> tuple[str, ...]:
    """The likeliest first: what stands behind `Action:`, what is quoted, lines and their parts, single words."""
    return tuple(dict.fromkeys(action for action in _candidates(text) if action))[:_MOST]


def _candidates(text: str) -> Iterator[str]:
    yield from _SHOWN.findall(text)
    for quoted in _QUOTED.findall(text):
        yield from quoted
    for line in text.splitlines():
        for part in (line, *re.split(r"[:;,.]", line), *line.split()):
            yield part.strip(" -*>.,:;!?()")


def shown_by_methods(world: str) -> tuple[str, ...]:
    """The actions in the prompts that methods, plug-ins included, have for a world."""
    found: list[str] = []
    for name in catalogue.names("method"):
        with suppress(UsageError), catalogue.as_plug_in_error("method", name, "prompts"):
            method = catalogue.method(name)
            if method.acts_in(world):
                prompts = Prompts(method.prompt_folders, world)
                for prompt in prompts.names:
                    found += _SHOWN.findall(prompts.text(prompt))
    return tuple(dict.fromkeys(found))
