"""What a task's walk says to do next, from what was done and what is seen: it needs no browser."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quintet.environments.webarena.actions import (
    GoTo,
    UnreadableAction,
    WebAction,
    WebStop,
    read_web_action,
    web_action_text,
)
from quintet.environments.webarena.observation.shown_page import read_shown_page
from quintet.environments.webarena.tasks.walks import Walk, WalkStep, is_step, public_address, step_action


class _Place(NamedTuple):
    """A step with its page."""

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
    done = list(_read(actions))
    if done and isinstance(done[-1], WebStop):
        return ()
    at, page = _reached(places, done), read_shown_page(observation)
    here = page.url == places[at].url
    action = step_action(places[at].step, page) if here else None
    if action is None:
        again = GoTo(page.url if here else places[max(0, at - 1)].url)
        action = None if done[-1:] == [again] else again
    return None if action is None else (web_action_text(action),)


def _read(actions: Sequence[str]) -> Iterator[WebAction]:
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
