"""Completions of a model, written down so that two processes can compare theirs: `python -m tests.contracts.draw`."""

import asyncio
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from protocols.models import Completion, Model, Sampling
from protocols.prompts import ChatMessage, Prompt


class Draw(Struct, frozen=True):
    """What to ask which model, and how often."""

    factory: str
    """What makes the model: `package.module:callable`."""
    options: dict[str, Any]
    messages: tuple[ChatMessage, ...]
    samplings: tuple[Sampling, ...]


def make_model(factory: str, options: Mapping[str, Any]) -> Model:
    module, name = factory.split(":")
    made: Model = getattr(import_module(module), name)(**options)
    return made


def draw(asked: Draw) -> tuple[Completion, ...]:
    model = make_model(asked.factory, asked.options)

    async def complete() -> tuple[Completion, ...]:
        return tuple([await model.complete(Prompt(*asked.messages), sampling) for sampling in asked.samplings])

    return asyncio.run(complete())


if __name__ == "__main__":
    completions = draw(msgspec.json.decode(sys.stdin.buffer.read(), type=Draw))
    sys.stdout.buffer.write(msgspec.json.encode(completions))
