"""Where the prompts of a run's methods are: their texts by name, and folders with other texts for a candidate."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from quintet.config.methods import MethodConfig
from quintet.config.settings import Setting, Settings
from quintet.errors import UsageError
from quintet.methods.base.prompts import read_prompt
from quintet.plugins.catalogue import one_of
from quintet.plugins.prompts import find_prompts, known_prompts

PROMPTS: Final = "prompts"
"""The folder of the candidates' prompts, in that of the optimisation."""


def read_texts(methods: Sequence[MethodConfig], world: str, names: Iterable[str]) -> dict[str, str]:
    """The texts of prompts as the methods have them, or the user's own folders, with their slots.

    Args:
        methods: of the run, outermost first.
        names: `execute`, and of an inner method `INNER/execute`.

    Raises:
        UsageError: a method has no prompt of that name, or it has no text there.
    """
    known = {
        f"{_prefix(methods, each)}{prompt}": (each, prompt)
        for each in methods
        for prompt in known_prompts(each.method, world)
    }
    texts: dict[str, str] = {}
    for name in names:
        if name not in known:
            raise UsageError(f"prompts: expected {one_of(list(known), name)}, got {name!r}")
        each, prompt = known[name]
        file = find_prompts(each.method, world, each.section.prompts).find(prompt)
        if file is None:
            raise UsageError(f"prompts: expected a prompt that has a text in {world}, got {name!r}, which has none")
        texts[name] = read_prompt(file).strip("\n")
    if not texts:
        raise UsageError(f"prompts: expected {one_of(list(known), '')}, got none")
    return texts


def write_texts(folder: Path, methods: Sequence[MethodConfig], world: str, texts: Mapping[str, str]) -> Settings:
    """Write texts where a run reads them, beside the user's own prompts, and return the settings that say so.

    Args:
        folder: `<folder>/<key of the method>/<world>/<name>.txt`.
        texts: by name, those that are not as the run has them.
    """
    found: dict[str, Setting] = {}
    for each in methods:
        prefix = _prefix(methods, each)
        own = {name.removeprefix(prefix): text for name, text in texts.items() if _is_of(name, prefix)}
        if not own:
            continue
        place = folder / each.key
        (place / world).mkdir(parents=True, exist_ok=True)
        for prompt, text in {**_read_all(each.section.prompts, world), **own}.items():
            (place / world / f"{prompt}.txt").write_text(f"{text}\n", encoding="utf-8", newline="")
        found[f"{each.key}.prompts"] = Setting(str(place.absolute()), "a candidate's prompts")
    return found


def _prefix(methods: Sequence[MethodConfig], each: MethodConfig) -> str:
    return "" if each is methods[0] else f"{each.name}/"


def _is_of(name: str, prefix: str) -> bool:
    return name.startswith(prefix) if prefix else "/" not in name


def _read_all(folder: Path | None, world: str) -> dict[str, str]:
    files = [] if folder is None else sorted((folder / world).glob("*.txt"))
    return {file.stem: read_prompt(file).strip("\n") for file in files}
