"""A model that writes down each of its calls, and may kill its process in one."""

import os
from pathlib import Path
from signal import SIGKILL

from quintet.author import Completion, Prompt, Sampling
from quintet.models.stand_in.model import StandIn, fallible
from quintet.ports.model import Asked

CALLS, KILL_AT = "COUNTED_CALLS", "COUNTED_KILL_AT"
"""Variables: the file that has a byte for each call that was answered; and the number of the one that is not."""


class Counted:
    """The stand-in that errs."""

    name = "counted"

    def __init__(self) -> None:
        self._model: StandIn = fallible()

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self._model.complete(prompt, sampling)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        _write_down()
        return await self._model.answer(prompt, sampling, asked)

    async def aclose(self) -> None:
        await self._model.aclose()


def _write_down() -> None:
    with Path(os.environ[CALLS]).open("ab") as file:
        if file.tell() == int(os.environ.get(KILL_AT, "-1")):
            os.kill(os.getpid(), SIGKILL)
        file.write(b".")
