"""Narrows lists: which days and which choices of a page's filters a goal names, and what applies them."""

import re
from collections.abc import Iterator
from datetime import date

from quintet.models.sim.webarena.forms import options_meant
from quintet.models.sim.webarena.ordering import is_sorter
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.picture import Deed
from quintet.models.sim.webarena.task import WebGoal

_BOUND = re.compile(r"(?:.*\bdate )?(?P<side>from|to|since|until)\b.{0,12}", re.IGNORECASE)
_APPLIES = re.compile(r"\b(?:apply|filter|show|refresh|update|go|search)\b", re.IGNORECASE)
_FILTERS = re.compile(r"\b(?:filters?|refine|narrow)\b", re.IGNORECASE)
_CHOICES = frozenset(("option", "radio", "checkbox"))


def days_to_fill(goal: WebGoal, page: BrowsedPage) -> Iterator[tuple[BrowsedNode, str]]:
    """The fields that bound a span of days, with the days of the goal."""
    if goal.period is None:
        return
    for node in page.nodes:
        bound = _BOUND.fullmatch(node.name) if node.role == "textbox" else None
        if bound is not None:
            yield node, _written(goal.period.first if bound["side"].lower() in ("from", "since") else goal.period.last)


def closed_filters(page: BrowsedPage) -> Iterator[BrowsedNode]:
    """What shows the filters of a list."""
    return (node for node in page.nodes if node.properties.get("expanded") == "False" and _FILTERS.search(node.name))


def choices_left(goal: WebGoal, page: BrowsedPage) -> Iterator[BrowsedNode]:
    """What the goal names of the page's lists of choices, and is not chosen."""
    return (node for node in options_meant(goal, page) if node.stems & goal.words and not is_sorter(node))


def applying(page: BrowsedPage, last: Deed | None) -> BrowsedNode | None:
    """The button that applies what was filled in or chosen last; None: nothing was, or no button does."""
    if last is None or last.url != page.url or not (last.typed or last.role in _CHOICES):
        return None
    places = [place for place, node in enumerate(page.nodes) if node.name == last.name and node.role == last.role]
    after = page.nodes[places[0] :] if places else ()
    return next((node for node in after if node.role == "button" and _APPLIES.search(node.name)), None)


def _written(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"
