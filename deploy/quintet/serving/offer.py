"""Which model answers under which name. All of them are simulated, for an endpoint says so in every answer."""

from collections.abc import Mapping
from pathlib import Path

from quintet.errors import UsageError
from quintet.models.sim.styles import WritingStyle
from quintet.plugins import catalogue
from quintet.ports.model import Model

_LEVELS = ("sim-weak", "sim-strong", "sim-fallible")
_NAMES = ("sim", *_LEVELS, "scripted")


def offer(
    name: str, *, script: Path | None = None, cycle: bool = False, style: WritingStyle = "plain", seed: int = 0
) -> Mapping[str, Model]:
    """The models to serve, by the name to ask for.

    Args:
        name: `sim` for every level under its own name, and the first as `sim` too; a level for that one alone, as
            `sim` too; `scripted`.
        script: what `scripted` says, and nobody else: a file with a JSON list of texts.
        cycle: whether it begins again after the last of them.
        style: in which the levels write.
        seed: of the styles.

    Raises:
        UsageError: nothing is called that, or the script is not as it should be.
    """
    if name not in _NAMES:
        raise UsageError(f"--model: expected {catalogue.one_of(_NAMES, name)}, got {name!r}")
    if name == "scripted":
        if style != "plain":
            raise UsageError(f"--style: expected a simulated level, since scripted says what it reads, got {style}")
        if script is None:
            raise UsageError("--script: expected a file, since scripted says what it reads there, got none")
        return {name: catalogue.model(name, script=script, cycle=cycle)}
    if script is not None or cycle:
        raise UsageError(
            f"--model: expected scripted, since {'--script' if script else '--cycle'} is given, got {name!r}"
        )
    levels = _LEVELS if name == "sim" else (name,)
    models = {level: catalogue.model(level, style=style, style_seed=seed) for level in levels}
    return {"sim": models[levels[0]], **models}
