"""Where a reader of websites stands: the goal, the page, and what of the one the other says."""

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

from quintet.models.sim.mind import Mind
from quintet.models.sim.webarena.listing import items_on
from quintet.models.sim.webarena.ordering import times_in
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.picture import WebPicture, plain_name
from quintet.models.sim.webarena.sought import dated_items
from quintet.models.sim.webarena.task import WebGoal, WebPromptTask
from quintet.models.sim.webarena.words import web_stems

_NEXT = re.compile(r"next(?: page)?|older|more", re.IGNORECASE)
_PAGE = re.compile(r"page \d{1,4}", re.IGNORECASE)
_SENDING = frozenset(("button", "link"))


@dataclass(frozen=True)
class WebStanding:
    """One moment of a task."""

    task: WebPromptTask
    seen: WebPicture
    mind: Mind
    instead_of: Set[str] = frozenset()
    """Actions to do without."""

    @property
    def goal(self) -> WebGoal:
        return self.task.goal

    @property
    def page(self) -> BrowsedPage | None:
        return self.seen.page

    def wrong(self, *question: str) -> bool:
        """Whether a question about this task is misread."""
        return self.mind.misreading.wrong(self.task.wording, *question)

    @cached_property
    def found_nothing(self) -> bool:
        """Whether the page is that of a search which found nothing."""
        return self.page is not None and self.page.is_search and not items_on(self.page)

    @cached_property
    def right_place(self) -> bool:
        """Whether the page is of what the goal names, or says most of it where the goal names nothing."""
        goal, page = self.goal, self.page
        if page is None or self.found_nothing:
            return False
        names = goal.named - goal.given
        if not names:
            return self.shows_most
        said = page.heading_stems | self.followed
        numbers = {name for name in names if name.isdigit()}
        return (bool(numbers) and numbers <= said) or 2 * len(names & said) >= len(names)

    def lists_the_kind(self) -> bool:
        """Whether the page is a list of things of the kind that the goal names one of."""
        page = self.page
        return page is not None and bool(items_on(page)) and bool(self.goal.kinds & web_stems(page.heading))

    def was_pressed(self, node: BrowsedNode) -> bool:
        """Whether a button of that name was pressed before."""
        name = plain_name(node.name)
        return any((deed.role, deed.name) == (node.role, name) for deed in self.seen.trail)

    def opened_item(self) -> bool:
        """Whether the last click opened a thing of a list."""
        last = self.seen.last
        before = None if last is None or last.typed else self.seen.pages.get(last.url)
        links = () if before is None else (item.link for item in items_on(before))
        return last is not None and any(link is not None and plain_name(link.name) == last.name for link in links)

    def in_time(self) -> bool:
        """Whether the days of the goal were filled in, or what was opened is of them."""
        period, pages = self.goal.period, self.seen.pages
        if period is None:
            return True
        for deed in self.seen.trail:
            days = times_in(deed.typed)
            before = pages.get(deed.url)
            opened = () if before is None else dated_items(before, period)[1]
            links = {item.link.name for item in opened if item.link is not None}
            if deed.name in links or any(period.has(day.date()) for day in days):
                return True
        return False

    @cached_property
    def followed(self) -> frozenset[str]:
        """The words of the links that led here."""
        return frozenset[str]().union(*(web_stems(deed.name) for deed in self.seen.trail if not deed.typed))

    @cached_property
    def shows_most(self) -> bool:
        """Whether the page's title, address and headings say at least half of what is looked for."""
        if self.page is None:
            return False
        return 2 * self.weight(self.goal.words & self.page.heading_stems) >= self.weight(self.goal.words)

    def values_left(self) -> bool:
        """Whether something that the goal quotes was neither typed nor chosen."""
        typed = " ".join(deed.typed or deed.name.lower() for deed in self.seen.done)
        return any(" ".join(value.lower().split()) not in typed for value in self.goal.values)

    def coverage(self, page: BrowsedPage | None = None) -> float:
        """The share of the goal's words that a page shows, the open one if none is named; in [0, 1]."""
        page = self.page if page is None else page
        if page is None or not self.goal.words:
            return 0.0
        return len(self.goal.words & page.all_stems) / len(self.goal.words)

    def allowed(self, action: str) -> bool:
        """Whether an action is worth a try: it was not impossible here, and is none to do without."""
        return action not in self.instead_of and action not in self.seen.refused

    def weight(self, stems: Set[str]) -> int:
        """How much words of the goal tell; those of names count twice."""
        return len(stems) + len(stems & self.goal.named)

    def words_left(self, page: BrowsedPage | None = None) -> frozenset[str]:
        """The words of the goal that the page does not say above all else; all where it says them all.

        Once something was done with what the goal names, what is left of the goal is the rest.
        """
        goal, page = self.goal, page or self.page
        said = frozenset[str]() if page is None or page.is_search else page.heading_stems - goal.kinds
        if goal.purpose == "change" and any(deed.role == "button" for deed in self.seen.trail):
            said |= goal.named - goal.given
        return goal.words - said or goal.words
