"""The scripted model: fixed completions, for tests, benchmarks and demonstrations."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

import msgspec

from quintet.errors import ModelFault, UsageError
from quintet.messages.prompts import ChatMessage, Prompt
from quintet.models.completion import complete_with
from quintet.plugins.files import read_limited
from quintet.ports.effects import Effect
from quintet.ports.model import Completion, Sampling

_LARGEST = 64 * 2**20
"""Bytes of a script."""


class Scripted:
    """Answers with fixed texts, whatever the prompt.

    The next text depends on the prompt alone: the first if the prompt holds no answer of the model, the second after
    one answer, and so on. So conversations are independent, and a repeated call gets the same answer. Sampling
    parameters only cut the text.

    Args:
        completions: in the order of a conversation.
        script: a file to read them from instead: a JSON list of texts.
        cycle: begin again after the last; otherwise one answer more is a `ModelFault`.
        name: shown beside every figure; by default it contains a digest of the completions, so that a run cannot be
            resumed with others.

    Raises:
        UsageError: there is no completion, or the script cannot be read.
    """

    def __init__(
        self,
        completions: Annotated[Sequence[str], Effect.NONE] = (),
        *,
        script: Annotated[Path | str | None, Effect.NONE] = None,
        cycle: bool = False,
        name: str | None = None,
    ) -> None:
        if bool(completions) == (script is not None):
            got = "both" if completions else "neither"
            raise UsageError(f"scripted: expected completions or a script (model.script), got {got}")
        self._completions = tuple(completions) if script is None else _read(Path(script))
        self._cycle = cycle
        self.name = f"scripted-{_digest(self._completions)}" if name is None else name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = prompt.total(_is_answer)
        length = len(self._completions)
        if said >= length and not self._cycle:
            raise ModelFault(f"{self.name}: expected at most {length} answers in a conversation, asked for one more")
        return complete_with(self._completions[said % length], prompt, sampling)


def _is_answer(message: ChatMessage) -> bool:
    return message.role == "assistant"


def _digest(completions: tuple[str, ...]) -> str:
    return blake2b(msgspec.msgpack.encode(completions), digest_size=3).hexdigest()


def _read(script: Path) -> tuple[str, ...]:
    try:
        completions = msgspec.json.decode(read_limited(script, _LARGEST), type=list[str])
    except OSError as error:
        raise UsageError(f"script: expected a file, got {error.strerror or error} ({script})") from error
    # A file that is not UTF-8 fails inside a string, with the error of the codec.
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"script: expected a JSON list of texts, got something else: {error} ({script})") from error
    except ValueError as error:
        raise UsageError(f"script: {error} ({script})") from error
    if not completions:
        raise UsageError(f"script: expected at least one text, got an empty list ({script})")
    return tuple(completions)
