"""Reads the prompts of a run: the user's, the method's, and those that a role brings."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quintet.config.method_config import MethodConfig, method_configs
from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from quintet.methods.base.prompts import Prompts, new_name
from quintet.plugins import catalogue
from quintet.roles.registry import default_prompts, prompts_of


def read_prompts(config: RunConfig) -> dict[str, Prompts]:
    """Read every prompt that the methods have for the run's environment; the user's own folder comes first.

    Returns:
        By the method's name in the run, outermost first.

    Raises:
        UsageError: the user's folder has no prompt for the environment, or one that the method does not know; or a
            prompt that a request needs is missing.
    """
    return {each.name: _read(each, config.environment.name) for each in method_configs(config)}


def hashes(prompts: Mapping[str, Prompts]) -> dict[str, str]:
    """SHA-256 of every prompt: those of the outermost method by name, of an inner one by `INNER/execute`."""
    outermost, *inner = prompts
    found = prompts[outermost].hashes
    return found | {f"{name}/{prompt}": each for name in inner for prompt, each in prompts[name].hashes.items()}


def _read(each: MethodConfig, environment: str) -> Prompts:
    method, own, requests = each.method, each.section.prompts, each.requests
    required = prompts_of(requests, method.roles)
    optional = [name for role in each.roles for name in role.optional_prompts]
    names = tuple(dict.fromkeys((*Prompts(method.prompt_folders, environment).names, *required)))
    if own is not None:
        found = _refuse_other_prompts(f"{each.key}.prompts", own, environment, [*names, *optional])
        names = tuple(dict.fromkeys((*names, *found)))
    structured = {
        name.partition(".")[0]
        for role in each.roles
        if each.model.of(role.name).answers == "schema"
        for request in requests
        for name in role.requests.get(request, ())
    }
    folders = method.prompt_folders if own is None else (own, *method.prompt_folders)
    prompts = Prompts(folders, environment, structured, default_prompts())
    for name in names:
        prompts.text(name)
    return prompts


def _refuse_other_prompts(key: str, own: Path, environment: str, names: Sequence[str]) -> Sequence[str]:
    """The names in a user's folder. Refuses one without prompts for the environment, or with one that nobody reads."""
    place = own / environment
    found = Prompts([own], environment).names
    if not found:
        raise UsageError(f"{key}: expected text files in {place}, found none")
    for name in found:
        if name not in names:
            if (new := new_name(name, names)) is not None:
                raise UsageError(f"{key}: expected {new}.txt, the new name of {name}.txt, got {name}.txt ({place})")
            expected = catalogue.one_of([f"{each}.txt" for each in names], f"{name}.txt")
            raise UsageError(f"{key}: expected {expected}, got '{name}.txt' ({place})")
    return found
