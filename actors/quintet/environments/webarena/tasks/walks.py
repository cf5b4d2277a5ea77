"""Walks: how a task of our own is solved, in words that do not depend on the numbers of elements."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.environments.webarena.actions import Click, GoTo, Hover, PlainAction, Type, WebAction, WebStop
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.observation.shown_page import ShownPage
from quintet.environments.webarena.tasks.schema import web_task_name
from quintet.errors import UsageError

_Count: TypeAlias = Annotated[int, Meta(ge=1)]
_PUBLIC = SiteAddresses({})


class _Step(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="do"):
    """A step that names an element: `["click", "link", "My Account"]`. The others are written like their actions."""


class WalkClick(_Step, frozen=True, tag="click"):
    """Click an element."""

    role: str
    name: str
    nth: _Count = 1
    """Which of several of that name, in the page's order; so in the other steps."""


class WalkHover(_Step, frozen=True, tag="hover"):
    """Move the mouse over an element."""

    role: str
    name: str
    nth: _Count = 1


class WalkType(_Step, frozen=True, tag="type"):
    """Type into a field."""

    role: str
    name: str
    text: str
    enter: bool = True
    nth: _Count = 1


WalkStep: TypeAlias = WalkClick | WalkHover | WalkType | PlainAction


class WalkPage(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A page that a walk comes to, and what it does there: `["__SHOPPING__/", [["click", ...], ...]]`."""

    url: str
    steps: Annotated[tuple[WalkStep, ...], Meta(min_length=1)]


Walk: TypeAlias = tuple[WalkPage, ...]


def read_walks(file: Path) -> Mapping[str, Walk]:
    """The walks of a file by task name: `{"1000": [["__SHOPPING__/", [["click", "link", "My Account"], ...]], ...]}`.

    Raises:
        UsageError: a step is none of those, or a walk does not end with `stop`.
    """
    try:
        walks = msgspec.json.decode(file.read_bytes(), type=dict[str, Walk])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"walks: expected pages with steps by task id, got {error} ({file})") from error
    for number, walk in walks.items():
        if not number.isdecimal() or not walk or not isinstance(walk[-1].steps[-1], WebStop):
            raise UsageError(f"walk of task {number}: expected a task's id, and `stop` as the last step ({file})")
    return {web_task_name(number): walk for number, walk in walks.items()}


def step_action(step: WalkStep, page: ShownPage) -> WebAction | None:
    """The action that carries out a step on a page; None: no element has the role and the name."""
    match step:
        case WalkClick(role, name, nth):
            return None if (number := page.find(role, name, nth)) is None else Click(number)
        case WalkHover(role, name, nth):
            return None if (number := page.find(role, name, nth)) is None else Hover(number)
        case WalkType(role, name, text, enter, nth):
            return None if (number := page.find(role, name, nth)) is None else Type(number, text, enter)
        case GoTo(url):
            return GoTo(public_address(url))
        case _:
            return step


def is_step(step: WalkStep, action: WebAction) -> bool:
    """Whether an action may be a step, whatever element it names: its number tells that on its page only."""
    match step, action:
        case (WalkClick(), Click()) | (WalkHover(), Hover()):
            return True
        case WalkType(_, _, text, enter), Type():
            return (text, enter) == (action.text, action.enter)
        case ((WalkClick() | WalkHover() | WalkType()), _):
            return False
        case _:
            return step_action(step, ShownPage()) == action


def public_address(url: str) -> str:
    """An address of a walk as models see it."""
    return _PUBLIC.expand(url)
