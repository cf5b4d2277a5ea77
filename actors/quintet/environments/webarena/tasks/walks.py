"""Walks: how a task of our own is solved, in words that do not depend on the numbers of elements."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Meta, Struct

from quintet.environments.webarena.actions import (
    Click,
    CloseTab,
    FocusTab,
    GoBack,
    GoForward,
    GoTo,
    Hover,
    NewTab,
    Press,
    Scroll,
    Type,
    WebAction,
    WebStop,
    web_action_text,
)
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.observation.tree import PageTree
from quintet.environments.webarena.tasks.schema import web_task_name
from quintet.errors import UsageError

_Count: TypeAlias = Annotated[int, Meta(ge=1)]


class _Step(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="do"):
    """A step is written as a list, its name first: `["click", "link", "My Account"]`."""


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


class WalkPress(_Step, frozen=True, tag="press"):
    """Press a key."""

    keys: str


class WalkScroll(_Step, frozen=True, tag="scroll"):
    """Scroll the page."""

    direction: Literal["up", "down"]


class WalkGoTo(_Step, frozen=True, tag="goto"):
    """Load an address, which may begin with a placeholder."""

    url: str


class WalkNewTab(_Step, frozen=True, tag="new_tab"):
    """Open a tab."""


class WalkFocusTab(_Step, frozen=True, tag="tab_focus"):
    """Make a tab the current one."""

    number: Annotated[int, Meta(ge=0)]


class WalkCloseTab(_Step, frozen=True, tag="close_tab"):
    """Close the current tab."""


class WalkBack(_Step, frozen=True, tag="go_back"):
    """Load the page before this one."""


class WalkForward(_Step, frozen=True, tag="go_forward"):
    """Undo `go_back`."""


class WalkStop(_Step, frozen=True, tag="stop"):
    """End the task."""

    answer: str = ""


WalkStep: TypeAlias = (
    WalkClick
    | WalkHover
    | WalkType
    | WalkPress
    | WalkScroll
    | WalkGoTo
    | WalkNewTab
    | WalkFocusTab
    | WalkCloseTab
    | WalkBack
    | WalkForward
    | WalkStop
)
Walk: TypeAlias = tuple[WalkStep, ...]


class StepNotHere(ValueError):
    """A step names an element that the page does not have; the words say which there are."""


def read_walks(file: Path) -> Mapping[str, Walk]:
    """The walks of a file by task name: `{"1000": [["click", "link", "My Account"], ["stop", "3"]], ...}`.

    Raises:
        UsageError: a step is none of those, or a walk does not end with `stop`.
    """
    try:
        walks = msgspec.json.decode(file.read_bytes(), type=dict[str, Walk])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"walks: expected steps by task id, got {error} ({file})") from error
    for number, walk in walks.items():
        if not number.isdecimal() or not walk or not isinstance(walk[-1], WalkStop):
            raise UsageError(f"walk of task {number}: expected a task's id, and `stop` as the last step ({file})")
    return {web_task_name(number): walk for number, walk in walks.items()}


def resolve_step(step: WalkStep, tree: PageTree, addresses: SiteAddresses) -> str:
    """The text of the action that carries out a step on a page.

    Args:
        step: of a walk.
        tree: the page that is open.
        addresses: of the session's sites.

    Raises:
        StepNotHere: no element has the role and the name.
    """
    return web_action_text(_action(step, tree, addresses))


def _action(step: WalkStep, tree: PageTree, addresses: SiteAddresses) -> WebAction:
    match step:
        case WalkClick(role, name, nth):
            return Click(_find(tree, role, name, nth))
        case WalkHover(role, name, nth):
            return Hover(_find(tree, role, name, nth))
        case WalkType(role, name, text, enter, nth):
            return Type(_find(tree, role, name, nth), text, enter)
        case WalkPress(keys):
            return Press(keys)
        case WalkScroll(direction):
            return Scroll(direction == "down")
        case WalkGoTo(url):
            return GoTo(addresses.shown(addresses.expand(url)))
        case WalkNewTab():
            return NewTab()
        case WalkFocusTab(number):
            return FocusTab(number)
        case WalkCloseTab():
            return CloseTab()
        case WalkBack():
            return GoBack()
        case WalkForward():
            return GoForward()
        case WalkStop(answer):
            return WebStop(answer)
        case _:
            assert_never(step)


def _find(tree: PageTree, role: str, name: str, nth: int) -> int:
    """The number of an element: by its exact name, else by a part of it in any case that only one element has."""
    named = {number: element.name for number, element in tree.elements.items() if element.role == role}
    exact = sorted(number for number, of in named.items() if of == name)
    if len(exact) >= nth:
        return exact[nth - 1]
    partly = sorted(number for number, of in named.items() if name.lower() in of.lower()) if name and not exact else []
    if len({named[number] for number in partly}) == 1 and len(partly) >= nth:
        return partly[nth - 1]
    which = f"{nth} of " if nth > 1 else ""
    raise StepNotHere(
        f"expected {which}{role} {name!r} on the page, got {_names([named[each] for each in sorted(named)])}"
    )


def _names(names: Sequence[str]) -> str:
    most = 12
    shown = ", ".join(map(repr, dict.fromkeys(names[:most])))
    return shown + (", ..." if len(names) > most else "") or "none of that role"
