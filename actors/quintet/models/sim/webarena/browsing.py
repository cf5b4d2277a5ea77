"""The inputs of a decision on websites: the task, the picture of the pages, and the mind."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from quintet.models.sim.mind import Mind
from quintet.models.sim.transcript import Reading
from quintet.models.sim.webarena.answers import FoundAnswer, answers_on
from quintet.models.sim.webarena.common_sense import usually_leads_to
from quintet.models.sim.webarena.forms import shows_error
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.picture import WebPicture, is_done, pages_after
from quintet.models.sim.webarena.task import WebGoal, WebPromptTask
from quintet.models.sim.webarena.words import web_stems

_NEXT = re.compile(r"next(?: page)?|page \d+", re.IGNORECASE)
_SENDING = frozenset(("button", "link"))


@dataclass(frozen=True)
class Browsing:
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

    def answers(self) -> list[FoundAnswer]:
        """The values on the page that may be the answer, the best first; another is taken for the best if misread."""
        found = answers_on(self.goal, self.page) if self.page is not None and self.goal.purpose == "answer" else ()
        if not found:
            return []
        best = self.mind.misreading.answer(found[0], found[1:], self.task.wording, "answers", found[0].value)
        return [best, *(each for each in found if each != best)]

    def knows_answer(self) -> bool:
        """Whether the best value is taken for the answer."""
        found = self.answers()
        return bool(found) and found[0].sure != self.wrong("found", found[0].value)

    def shows(self) -> bool:
        """Whether the page is the one that is looked for: its title, address, headings and choices say all of it."""
        if self.page is None or not self.goal.words:
            return False
        searched = self.page.is_search and not self.goal.words & web_stems("search")
        said = self.page.all_stems if self.goal.anywhere else self.page.heading_stems | self._followed()
        right = not searched and bool(self.goal.words & self.page.all_stems) and self.goal.words <= said
        return right != self.wrong("is shown", self.page.url or self.page.title)

    def _followed(self) -> frozenset[str]:
        """The words of the links that led here."""
        return frozenset[str]().union(*(web_stems(deed.name) for deed in self.seen.trail if not deed.typed))

    def shows_most(self) -> bool:
        """Whether the page's title, address and headings say at least half of what is looked for."""
        if self.page is None:
            return False
        return 2 * self.weight(self.goal.words & self.page.heading_stems) >= self.weight(self.goal.words)

    def changed(self) -> bool:
        """Whether what the goal says was just done: a button that does or sends it was clicked, without an error."""
        last, page = self.seen.last, self.page
        if self.goal.purpose != "change" or last is None or last.role not in _SENDING or page is None:
            return False
        said = web_stems(self.goal.text)
        stems = web_stems(last.name)
        typed = any(deed.typed for deed in self.seen.done)
        does = last.role == "button" and bool(stems) and (stems <= said or typed)
        return (does and not shows_error(page)) != self.wrong("is done", last.name)

    def reached(self) -> bool:
        """Whether there is nothing to do but to stop."""
        match self.goal.purpose:
            case "answer":
                return self.knows_answer()
            case "show":
                return self.shows()
            case "change":
                return self.changed()

    def coverage(self, page: BrowsedPage | None = None) -> float:
        """The share of the goal's words that a page shows, the open one if none is named; in [0, 1]."""
        page = self.page if page is None else page
        if page is None or not self.goal.words:
            return 0.0
        return len(self.goal.words & page.all_stems) / len(self.goal.words)

    def allowed(self, action: str) -> bool:
        """Whether an action is worth a try: it was not impossible here, and is none to do without."""
        return action not in self.instead_of and action not in self.seen.refused

    def usual(self) -> list[BrowsedNode]:
        """What can be clicked and leads, by common sense, to what the goal speaks of; the likeliest first."""
        if not self.mind.skill.common_sense:
            return []
        wanted = self.goal.words | self.goal.focus
        found = [(usually_leads_to(node.stems, wanted), node) for node in self._clickable() if self._is_new(node)]
        return [node for count, node in sorted(found, key=lambda each: -each[0]) if count]

    def weight(self, stems: Set[str]) -> int:
        """How much words of the goal tell; those of names count twice."""
        return len(stems) + len(stems & self.goal.named)

    def leads(self) -> list[BrowsedNode]:
        """What can be clicked and shares a word with the goal, the most telling first; not what was clicked here."""
        return [] if self.page is None else self._leads_on(self.page)

    def telling(self, nodes: Sequence[BrowsedNode]) -> list[BrowsedNode]:
        """Those that have at least half of what the goal says, or say nothing else."""
        goal = self.goal
        near_it = goal.purpose == "show" and self.shows_most()
        whole, enough = self.weight(goal.words), 2 if goal.named or near_it else 1
        names = [node for node in nodes if node.stems <= goal.words and len(node.stems) >= enough]
        return [node for node in nodes if 2 * self.weight(node.stems & goal.words) >= whole or node in names]

    def _is_new(self, node: BrowsedNode, page: BrowsedPage | None = None) -> bool:
        """Whether a link leads neither to its own page nor where the way here led before."""
        page = page or self.page
        if page is None or node.stems in (web_stems(page.title), web_stems(page.heading)):
            return False
        return all(deed.typed or web_stems(deed.name) != node.stems for deed in self.seen.trail)

    def untried(self) -> bool:
        """Whether a page that was seen has a telling link that was not followed, or a search that was not made."""
        pages = self.seen.pages.values()
        searched = any(deed.typed for deed in self.seen.done) or any(page.is_search for page in pages)
        can_search = any(node.role == "searchbox" for page in pages for node in page.nodes)
        return (can_search and not searched) or any(self.telling(self._leads_on(page)) for page in pages)

    def _leads_on(self, page: BrowsedPage) -> list[BrowsedNode]:
        named = (node for node in page.doors if node.stems & self.goal.words and self._is_new(node, page))
        found = [node for node in named if not is_done(self.seen, node, page=page)]
        return sorted(found, key=lambda node: (-self.weight(node.stems & self.goal.words), len(node.stems)))

    def tabs(self) -> list[BrowsedNode]:
        """The parts of the page that are not shown yet."""
        return [node for node in self._clickable() if node.role == "tab" and node.properties.get("selected") == "False"]

    def further(self) -> list[BrowsedNode]:
        """What leads on in a list of several pages."""
        return [node for node in self._clickable() if node.role == "link" and _NEXT.fullmatch(node.name)]

    def others(self) -> list[BrowsedNode]:
        """The links that share no word with the goal and were not clicked here."""
        return [node for node in self._clickable() if node.role == "link" and not node.stems & self.goal.words]

    def _clickable(self, page: BrowsedPage | None = None) -> Iterator[BrowsedNode]:
        page = page or self.page
        for node in page.doors if page is not None else ():
            if not is_done(self.seen, node, page=page):
                yield node


def browsing_of(reading: Reading[WebPromptTask], mind: Mind, instead_of: Set[str] = frozenset()) -> Browsing:
    """The moment as a reader with this mind sees it, and the actions to do without."""
    steps = mind.skill.remembered(reading)
    return Browsing(reading.task, pages_after(reading.task.page, steps), mind, instead_of)
