"""Walks: how some tasks are solved, in words without the numbers of elements, and what to do next."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from quintet.environments.webarena.actions import Press, web_action_text
from quintet.environments.webarena.observation.page_text import read_shown_page
from quintet.environments.webarena.tasks.walks import (
    WalkClick,
    WalkStep,
    WalkType,
    is_step,
    readable_actions,
    step_action,
)

_Walk: TypeAlias = Callable[[Sequence[str]], Sequence[WalkStep]]
"""The steps, from what a goal names."""

_SUBMIT: Final = WalkClick("button", "Submit")
_NEXT_BUTTON: Final = (Press("Tab"), Press("Enter"))
"""By keys, where another button may lie over its middle, which a click would hit."""


def _text(words: str, nth: int = 1) -> WalkType:
    return WalkType("textbox", "", words, enter=False, nth=nth)


def _each(role: str) -> _Walk:
    """Clicks of all that the goal lists, and of the button."""
    return lambda named: (*(WalkClick(role, each) for each in named[0].split(", ") if each != "nothing"), _SUBMIT)


_WALKS: Final[Mapping[str, tuple[str, _Walk]]] = {
    "choose-list": (
        r"Select (.+) from the list",
        lambda named: (WalkType("combobox", "", named[0], enter=False), _SUBMIT),
    ),
    "click-button": (r'the "(.+)" button', lambda named: (WalkClick("button", named[0]),)),
    "click-button-sequence": (r"", lambda _: (*_NEXT_BUTTON, *_NEXT_BUTTON)),
    "click-checkboxes": (r"Select (.+) and click", _each("checkbox")),
    "click-checkboxes-large": (r"Select (.+) and click", _each("checkbox")),
    "click-checkboxes-transfer": (r"Select (.+) and click", _each("checkbox")),
    "click-dialog": (r"", lambda _: (WalkClick("button", "Close"),)),
    "click-link": (r'the link "(.+)"', lambda named: (WalkClick("link", named[0]),)),
    "click-option": (r"Select (.+) and click", _each("radio")),
    "click-tab": (r"on (Tab #\d)", lambda named: (WalkClick("tab", named[0]),)),
    "click-test": (r"", lambda _: (WalkClick("button", "Click Me!"),)),
    "click-test-2": (r"", lambda _: _NEXT_BUTTON),
    "enter-password": (r'password "(.+)" into', lambda named: (_text(named[0]), _text(named[0], 2), _SUBMIT)),
    "enter-text": (r'Enter "(.+)" into', lambda named: (_text(named[0]), _SUBMIT)),
    "focus-text": (r"", lambda _: (WalkClick("textbox", ""),)),
    "login-user": (
        r'username "(.+)" and the password "(.+)" into',
        lambda named: (_text(named[0]), _text(named[1], 2), WalkClick("button", "Login")),
    ),
}
"""By task: where its goal names something, and what is done with that."""

WALKED: Final = tuple(_WALKS)
"""The tasks that have a walk."""


def next_action(task: str, goal: str, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
    """A walk's next action: at most one, since those after it name elements of a page that is not shown yet.

    A wrong action is taken for the walk's if it is of the same sort.

    Args:
        actions: all that were carried out so far.
        observation: the last one that shows a page.

    Returns:
        None: the task has no walk, or the page does not show what the walk names.
    """
    if task not in _WALKS:
        return None
    named, walk = _WALKS[task]
    found = re.search(named, goal)
    steps = () if found is None else walk(found.groups())
    at = 0
    for action in readable_actions(actions):
        if at < len(steps) and is_step(steps[at], action):
            at += 1
    then = step_action(steps[at], read_shown_page(observation)) if at < len(steps) else None
    return None if then is None else (web_action_text(then),)
