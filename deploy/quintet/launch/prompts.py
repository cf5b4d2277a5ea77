"""Reads the prompts of a run: the user's, the methods', the world's, and those that roles bring."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from quintet.config.methods import MethodConfig
from quintet.config.resolve import Resolved
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import Prompts, read_prompt
from quintet.plugins import catalogue
from quintet.plugins.brought import find_brought
from quintet.plugins.prompts import find_prompts, known_prompts, worlds_of
from quintet.questions.shape import AnswerForm
from quintet.roles.registry import prompts_of


def read_prompts(run: Resolved) -> dict[str, Prompts]:
    """Read every prompt that the methods have for the run's environment; the user's own folder comes first.

    By the method's name in the run, outermost first. Nothing that a request needs may be missing.
    """
    return {each.name: _read(each, run.config.environment.name) for each in run.methods}


def hashes(prompts: Mapping[str, Prompts]) -> dict[str, str]:
    """SHA-256 of every prompt: those of the outermost method by name, of an inner one by `INNER/execute`."""
    outermost, *inner = prompts
    found = prompts[outermost].hashes
    return found | {f"{name}/{prompt}": each for name in inner for prompt, each in prompts[name].hashes.items()}


def own_prompts(run: Resolved) -> dict[str, Path]:
    """The user's own prompts that are not as the methods have them: their files, by name as in `hashes`."""
    outermost, *inner = run.methods
    world = run.config.environment.name
    found = changed_prompts(outermost.method, world, outermost.section.prompts)
    return found | {
        f"{each.name}/{name}": file
        for each in inner
        for name, file in changed_prompts(each.method, world, each.section.prompts).items()
    }


def changed_prompts(method: type[Method[Any]], world: str, own: Path | None) -> dict[str, Path]:
    """The files in a user's folder, by name, that are not as the method has them; sorted."""
    if own is None:
        return {}
    shipped = find_prompts(method, world)
    files = {file.stem: file for file in sorted((own / world).glob("*.txt"))}
    return {
        name: file
        for name, file in files.items()
        if (other := shipped.find(name)) is None or read_prompt(other) != read_prompt(file)
    }


def refuse_other_prompts(key: str, own: Path, world: str, names: Sequence[str]) -> None:
    """Refuse a user's folder, named by `key`, without prompts for the world, or with one that nobody reads."""
    place = own / world
    found = Prompts([own], world).names
    if not found:
        raise UsageError(f"{key}: expected text files in {place}, found none")
    for name in found:
        if name not in names:
            expected = catalogue.one_of([f"{each}.txt" for each in names], f"{name}.txt")
            raise UsageError(f"{key}: expected {expected}, got '{name}.txt' ({place})")


def _read(each: MethodConfig, world: str) -> Prompts:
    method, own, requests = each.method, each.section.prompts, each.requests
    if own is not None:
        refuse_other_prompts(f"{each.key}.prompts", own, world, known_prompts(method, world))
    forms: dict[str, AnswerForm] = {
        name.partition(".")[0]: each.model.of(role.name).answers
        for role in each.roles
        for request in requests
        for name in role.requests.get(request, ())
    }
    prompts = find_prompts(method, world, own, forms)
    required = prompts_of(requests, method.roles)
    _refuse_missing(each, world, prompts, required)
    for name in dict.fromkeys((*prompts.names, *required)):
        prompts.text(name)
    return prompts


def _refuse_missing(each: MethodConfig, world: str, prompts: Prompts, required: Collection[str]) -> None:
    missing = [f"{name}.txt" for name in required if prompts.find(name) is None]
    if not missing:
        return
    method, brought = find_brought("method", each.method.name), find_brought("environment", world)
    name = each.method.name if method is None else method.origin
    place = world if brought is None else brought.origin
    other = next((found for found in worlds_of(each.method) if found != world), None)
    beginning = "" if other is None else f" --from {other}"
    places = ", ".join(map(str, prompts.places))
    raise UsageError(
        f"prompts of {each.name} for {world}: expected {', '.join(missing)} in one of {places}, found none"
        f"{_owners(missing, world)}; to write your own, begin with quintet prompts copy {name} {place} DIR{beginning}, "
        f"and name them by --set {each.key}.prompts=DIR"
    )


def _owners(files: Collection[str], world: str) -> str:
    """Which methods have such prompts for a world, in words: the first of each."""
    found: dict[str, str] = {}
    for name in catalogue.names("method"):
        with suppress(UsageError):  # a plug-in may be unusable
            theirs = find_prompts(catalogue.method(name), world)
            places = {file: theirs.find(file.removesuffix(".txt")) for file in files}
            found = {file: f"; {name} has {place}" for file, place in places.items() if place is not None} | found
    return "".join(found.values())
