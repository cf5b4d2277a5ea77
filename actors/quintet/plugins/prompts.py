"""Finds the prompts of a method in a world: the user's, the method's, the world's, then those that suit every world."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from quintet.errors import UsageError
from quintet.messages.learning import MemoryKind
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import INSERTED, PLAIN, PLAIN_INSERTED, Prompts, read_prompt
from quintet.plugins import catalogue
from quintet.questions.shape import AnswerForm
from quintet.roles.registry import default_prompts, prompts_of


def find_prompts(
    method: type[Method[Any]], world: str, own: Path | None = None, forms: Mapping[str, AnswerForm] | None = None
) -> Prompts:
    """A method's prompts in a world, none of them read yet.

    The user's `<own>/<world>/<name>.txt` comes first, then the method's `<folder>/<world>/<name>.txt`, then the world's
    `<prompt_folder>/<method>/<name>.txt`, then the method's plain ones, `<folder>/plain/<name>.txt`; then what a role
    brings for all, and what the world does: the texts that prompts insert.

    Args:
        method: by whose name, and whose folders, a world has prompts for it.
        world: by its name; its factory may have a folder of prompts, `prompt_folder`.
        own: the user's folder; None: there is none.
        forms: of the answers to requests, by their prompt's name; text unless stated.
    """
    folders = method.prompt_folders if own is None else (own, *method.prompt_folders)
    brought = catalogue.prompt_folder(world)
    from_world = () if brought is None else _folders_in_world(method, brought)
    of_world = () if brought is None else (brought,)
    defaults = (*default_prompts(method.roles), *of_world, PLAIN_INSERTED)
    return Prompts(folders, world, forms, defaults, from_world, _plain_folders(method))


def _folders_in_world(method: type[Method[Any]], brought: Path) -> tuple[Path, ...]:
    """What a world brings for a method, then for those whose folders it has: `<other>/prompts`.

    A method with a folder of its own words its requests itself, so another's texts serve only beside some of its own.
    """
    own = brought / method.name
    owners = [folder.parent.name for folder in method.prompt_folders]
    if method.name in owners and not own.is_dir():
        return (own,)
    return tuple(dict.fromkeys((own, *(brought / owner for owner in owners))))


def _plain_folders(method: type[Method[Any]]) -> tuple[Path, ...]:
    """A method's plain prompts, and those of the methods whose folders it has; by the same rule."""
    own = [folder for folder in method.prompt_folders if folder.parent.name == method.name]
    if own and not any((folder / PLAIN).is_dir() for folder in own):
        return ()
    return tuple(folder / PLAIN for folder in method.prompt_folders)


def required_prompts(method: type[Method[Any]]) -> tuple[str, ...]:
    """The names of the prompts that a method's episodes need."""
    return prompts_of(method.asks(learning=None), method.roles)


def known_prompts(method: type[Method[Any]], world: str) -> tuple[str, ...]:
    """The names of the prompts that a method may read in a world, there or not; with its learner's and a memory's.

    They are those that it has in the world; where these are not all its own, those that it has in any world; those that
    its requests need; its roles' optional ones; and those that prompts insert.
    """
    there = find_prompts(method, world)
    files = [file for name in there.names if (file := there.find(name))]
    if there.any_plain or not files:
        files += [file for folder in method.prompt_folders for file in sorted(folder.glob("*/*.txt"))]
    required = prompts_of(method.asks(learning="judged", recalling=get_args(MemoryKind)), method.roles)
    optional = (name for role in method.roles for name in role.optional_prompts)
    texts = [read_prompt(file) for file in files]
    inserted = (name for name in INSERTED if any(f"{{{name}}}" in text for text in texts))
    return tuple(dict.fromkeys((*(file.stem for file in files), *required, *optional, *inserted)))


def worlds_of(method: type[Method[Any]]) -> tuple[str, ...]:
    """The names of the environments for which a method's prompts are found; all of them if it needs none."""
    found: list[str] = []
    for world in catalogue.names("environment"):
        with suppress(UsageError, LookupError):  # it cannot be loaded; or the method asks what no role answers
            prompts = find_prompts(method, world)
            if all(prompts.find(name) for name in required_prompts(method)):
                found.append(world)
    return tuple(found)
