"""Walks: how a task of our own is solved, in words without the numbers of elements, and what to do next."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.environments.webarena.actions import (
    Click,
    GoTo,
    Hover,
    PlainAction,
    Type,
    UnreadableAction,
    WebAction,
    WebStop,
    read_web_action,
    web_action_text,
)
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.observation.page_text import ShownPage, read_shown_page
from quintet.environments.webarena.tasks.schema import web_task_name
from quintet.errors import UsageError
from quintet.plugins.files import read_limited

_Count: TypeAlias = Annotated[int, Meta(ge=1)]
_PUBLIC = SiteAddresses({})
_LARGEST = 2**26
"""Bytes of a file of walks."""


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


WalkStep: TypeAlias = WalkClick | WalkHover | WalkType | PlainAction | WebStop


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
        walks = msgspec.json.decode(read_limited(file, _LARGEST), type=dict[str, Walk])
    except (OSError, ValueError, RecursionError) as error:
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


class _Place(NamedTuple):
    page: int
    """Its number, from 0."""
    url: str
    """Of the page, as models see it."""
    step: WalkStep


def advise(walk: Walk, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
    """The walk's next action: at most one, since those after it name elements of pages that are not shown yet.

    A page that the walk does not come to there is a wrong turn: the walk goes on at the page before, from the first
    thing that it does there. So it does on the same page where that does not show what the walk names, as once it is
    scrolled. A wrong action that leads to no other page is not noticed.

    Args:
        actions: all that were carried out so far.
        observation: the last one that shows a page; a rejection shows none.

    Returns:
        None: to begin the page again did not help. Empty: the task has ended.
    """
    places = [_Place(number, public_address(page.url), step) for number, page in enumerate(walk) for step in page.steps]
    done = list(readable_actions(actions))
    if done and isinstance(done[-1], WebStop):
        return ()
    at, page = _reached(places, done), read_shown_page(observation)
    here = page.url == places[at].url
    action = step_action(places[at].step, page) if here else None
    if action is None:
        again = GoTo(page.url if here else places[max(0, at - 1)].url)
        action = None if done[-1:] == [again] else again
    return None if action is None else (web_action_text(action),)


def readable_actions(actions: Sequence[str]) -> Iterator[WebAction]:
    """Those of some texts that are actions, in order."""
    for action in actions:
        try:
            yield read_web_action(action)
        except UnreadableAction:
            continue


def _reached(places: Sequence[_Place], done: Sequence[WebAction]) -> int:
    """The number of the step that comes next. What is no step is passed over, unless it loads one of the pages."""
    at = 0
    for action in done:
        if is_step(places[at].step, action):
            at = min(at + 1, len(places) - 1)
        elif isinstance(action, GoTo):
            pages = [each.page for each in places[: at + 1] if each.url == action.url]
            at = next((number for number, each in enumerate(places) if pages and each.page == pages[-1]), at)
    return at
