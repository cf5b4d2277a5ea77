"""The models that are served. All are simulated, as every answer states; their text becomes JSON on request."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.models.sim.styles import WritingStyle
from quintet.plugins import catalogue
from quintet.ports.model import Completion, Model
from quintet.questions.shape import SHAPES

_LEVELS = ("sim-weak", "sim-strong", "sim-newcomer", "sim-fallible")
_NAMES = ("sim", *_LEVELS, "scripted")


def served_models(
    name: str, *, script: Path | None = None, cycle: bool = False, style: WritingStyle = "plain", seed: int = 0
) -> Mapping[str, Model]:
    """The models to serve, by the name to request.

    Args:
        name: `sim`: every level under its own name, and the first as `sim` too; a level: that one alone, as `sim`
            too; or `scripted`.
        script: a file with a JSON list of texts, for `scripted` only.
        cycle: whether `scripted` starts again after its last text.
        style: of the levels' texts.
        seed: of the style.

    Raises:
        UsageError: the name is unknown, or the script is missing or malformed.
    """
    if name not in _NAMES:
        raise UsageError(f"--model: expected {catalogue.one_of(_NAMES, name)}, got {name!r}")
    if name == "scripted":
        if style != "plain":
            raise UsageError(f"--style: expected a simulated level, since scripted only repeats its file, got {style}")
        if script is None:
            raise UsageError("--script: expected a file for the model scripted, got none")
        return {name: catalogue.model(name, script=script, cycle=cycle)}
    if script is not None or cycle:
        raise UsageError(
            f"--model: expected scripted, since {'--script' if script else '--cycle'} is given, got {name!r}"
        )
    levels = _LEVELS if name == "sim" else (name,)
    models = {level: catalogue.model(level, style=style, style_seed=seed) for level in levels}
    return {"sim": models[levels[0]], **models}


def as_json_form(completion: Completion, form: str | None) -> Completion:
    """Rewrite a completion as JSON of a shape, by its name. If it was cut off, so is the JSON. None: unchanged."""
    if form is None:
        return completion
    shape = SHAPES[form]
    text = shape.write(shape.fields_of(completion.text), structured=True)
    return replace(completion, text=text[: len(completion.text)] if completion.finish == "length" else text)
