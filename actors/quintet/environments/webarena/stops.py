"""The published stops: too many steps, unreadable answers in a row, and actions that repeat."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from quintet.environments.webarena.actions import Click, Hover, Type, UnreadableAction, WebAction, read_web_action

MAX_STEPS: Final = 30
_IN_A_ROW = 3


class WebStep(Struct, frozen=True):
    """A step of a session, as far as the stops ask."""

    action: str
    """As it was given."""
    page: str
    """The address of the current tab when it was given: an element's number means something on its page only."""
    refused: bool = False
    """It could not be read or carried out."""


def stop_reason(steps: Sequence[WebStep], max_steps: int = MAX_STEPS) -> str:
    """Why a session ends after these steps, in words; empty: it goes on.

    Source: the released early stops (30 steps, three unreadable answers in a row, three equal actions in a row, and the
    same `type` three times in all). Differs: actions that name an element are equal on the same address only, where
    the released numbers are new for each page that is loaded.
    """
    if len(steps) >= max_steps:
        return f"{max_steps} steps were taken"
    if not steps:
        return ""
    last = _key(steps[-1])
    recent = [_key(step) for step in steps[-_IN_A_ROW:]]
    if len(recent) == _IN_A_ROW and all(each == last for each in recent):
        return "three actions in a row could not be read" if last is None else "the same action three times in a row"
    if last is not None and isinstance(last[0], Type):
        same = sum(_key(step) == last for step in steps)
        return "the same text was typed three times" if same >= _IN_A_ROW else ""
    return ""


def _key(step: WebStep) -> tuple[WebAction, str] | None:
    """What two equal steps have in common; None: it is no action."""
    try:
        action = read_web_action(step.action)
    except UnreadableAction:
        return None
    return action, step.page if isinstance(action, Click | Hover | Type) else ""
