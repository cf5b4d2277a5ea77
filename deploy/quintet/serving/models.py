"""The models that are served. None is a language model, as every answer states."""

from collections.abc import Mapping
from pathlib import Path

from quintet.errors import UsageError
from quintet.messages.prompts import Prompt
from quintet.models.completion import complete_with
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Model, Sampling
from quintet.testing.random_model import RandomModel

_LEVELS = tuple(name for name in catalogue.MODELS if name.startswith("sim-"))
_NAMES = ("sim", *_LEVELS, "random", "echo", "scripted")


class Echo:
    """Answers with the last message."""

    name = "echo"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return complete_with(prompt.messages()[-1].content, prompt, sampling)


def served_models(name: str, *, script: Path | None = None, cycle: bool = False) -> Mapping[str, Model]:
    """The models to serve, by the name to request.

    Args:
        name: `sim`: every level under its own name, and the first as `sim` too; a level: that one alone, as `sim`
            too; or `random`, `echo` or `scripted`.
        script: a file with a JSON list of texts, for `scripted` only.
        cycle: whether `scripted` starts again after its last text.
    """
    if name not in _NAMES:
        raise UsageError(f"--model: expected {catalogue.one_of(_NAMES, name)}, got {name!r}")
    if name == "scripted":
        if script is None:
            raise UsageError("--script: expected a file for the model scripted, got none")
        return {name: catalogue.model(name, script=script, cycle=cycle)}
    if script is not None or cycle:
        raise UsageError(
            f"--model: expected scripted, since {'--script' if script else '--cycle'} is given, got {name!r}"
        )
    if name in ("random", "echo"):
        return {name: RandomModel() if name == "random" else Echo()}
    levels = _LEVELS if name == "sim" else (name,)
    models = {level: catalogue.model(level) for level in levels}
    return {"sim": models[levels[0]], **models}
