"""The questions that come with prompts, each with the world that it is about, made once."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.models.endpoint.questions import decode_question
from quintet.plugins import catalogue
from quintet.ports.model import Asked
from quintet.ports.world import PlayedWorld, World

_MOST = 8
"""Worlds that are kept."""


class Worlds:
    """The worlds that were asked about."""

    def __init__(self) -> None:
        self._made: dict[bytes, World] = {}

    def asked(self, question: str) -> Asked:
        """A question, with its world."""
        try:
            sent = decode_question(question)
        except msgspec.MsgspecError as error:
            raise UsageError(f"metadata: expected a question of Quintet, got something else: {error}") from error
        if sent.world is None:
            return sent.asked
        world = self._world(sent.world, sent.options)
        return replace(sent.asked, world=PlayedWorld(world, sent.options))

    def _world(self, name: str, options: Mapping[str, Any]) -> World:
        key = msgspec.json.encode((name, options), order="deterministic")
        if key not in self._made:
            if len(self._made) == _MOST:
                self._made.pop(next(iter(self._made)))
            self._made[key] = catalogue.world(name, **options)
        return self._made[key]
