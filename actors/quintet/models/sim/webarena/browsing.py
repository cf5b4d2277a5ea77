"""The inputs of a decision on websites: the task, the picture of the pages, and the mind."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from quintet.models.sim.mind import Mind
from quintet.models.sim.transcript import Reading
from quintet.models.sim.webarena.answers import FoundAnswer, answers_on, ranked_answer
from quintet.models.sim.webarena.common_sense import usually_leads_to
from quintet.models.sim.webarena.forms import shows_error
from quintet.models.sim.webarena.listing import WebItem, item_with, items_on
from quintet.models.sim.webarena.narrowing import applying
from quintet.models.sim.webarena.ordering import is_sorter
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.picture import is_done, pages_after, plain_name
from quintet.models.sim.webarena.sought import dated_items, meant_on, said_of_links, sorters, was_ordered, was_picked
from quintet.models.sim.webarena.standing import WebStanding
from quintet.models.sim.webarena.task import WebPromptTask
from quintet.models.sim.webarena.words import web_stems

_NEXT = re.compile(r"next(?: page)?|older|more", re.IGNORECASE)
_PAGE = re.compile(r"page \d{1,4}", re.IGNORECASE)
_SENDING = frozenset(("button", "link"))


@dataclass(frozen=True)
class Browsing(WebStanding):
    """One moment of a task, with what may answer it and what leads on."""

    def answers(self) -> list[FoundAnswer]:
        """The values on the page that may be the answer, the best first; another is taken for the best if misread."""
        if self.page is None or self.goal.purpose != "answer":
            return []
        found = (*self._ranked(), *answers_on(self.goal, self.page))
        if not found:
            return []
        best = self.mind.misreading.answer(found[0], found[1:], self.task.wording, "answers", found[0].value)
        return [best, *(each for each in found if each != best)]

    def _ranked(self) -> tuple[FoundAnswer, ...]:
        """What a question with a superlative asks of the list's thing that it means, if the list says it."""
        item, rank = self.meant(), self.goal.rank
        if item is None or rank is None or self.page is None:
            return ()
        return ranked_answer(self.goal, rank, item, self.page)

    def knows_answer(self) -> bool:
        """Whether the best value is taken for the answer."""
        found = self.answers()
        return bool(found) and found[0].sure != self.wrong("found", found[0].value)

    def shows(self) -> bool:
        """Whether the page is the one that is looked for: its title, address, headings and choices say all of it."""
        if self.page is None or not self.goal.words:
            return False
        if self.goal.rank is not None and not self.goal.rank.ordered:
            return was_picked(self.goal.rank, self.seen, self.goal.named)
        if self.goal.rank is not None:
            return self.right_place and not self.page.is_search and was_ordered(self.goal.rank, self.seen)
        searched = self.page.is_search and not self.goal.words & web_stems("search")
        whole = self.goal.anywhere or self.opened_item()
        said = self.page.all_stems if whole else self.page.heading_stems | self.followed
        says_all = bool(self.goal.words & self.page.all_stems) and self.goal.words <= said
        right = says_all and not searched and self.in_time() and applying(self.page, self.seen.last) is None
        return right != self.wrong("is shown", self.page.url or self.page.title)

    def sorters(self) -> list[BrowsedNode]:
        """What brings the list of the page into the order that the goal's superlative asks for."""
        rank, page = self.goal.rank, self.page
        return sorters(page, rank, self.seen) if rank is not None and page is not None and self.right_place else []

    def is_about(self, node: BrowsedNode) -> bool:
        """Whether a button or field belongs to what the goal names: to its thing of a list, or to its page."""
        page, goal = self.page, self.goal
        if page is None:
            return False
        item = item_with(page, node)
        if item is not None and goal.rank is not None:
            return item == self.meant()
        choices = (each.stems for each in page.nodes if each.role in ("option", "radio", "checkbox"))
        around = page.heading_stems.union(self.followed, *choices) if item is None else item.stems
        names = goal.named - goal.given or goal.words
        return 2 * self.weight(names & (around | node.stems)) >= self.weight(names)

    def meant(self) -> WebItem | None:
        """What the goal's superlative means of the page's list."""
        rank, page = self.goal.rank, self.page
        if rank is None or rank.ordered or page is None or not self.right_place:
            return None
        return meant_on(page, rank, self.seen)

    def changed(self) -> bool:
        """Whether what the goal says was just done: a button that does or sends it was clicked, without an error."""
        last, page = self.seen.last, self.page
        if self.goal.purpose != "change" or last is None or last.role not in _SENDING or page is None:
            return False
        said = web_stems(self.goal.text)
        stems = web_stems(last.name)
        typed = any(deed.typed for deed in self.seen.done)
        does = last.role == "button" and bool(stems) and (stems <= said or typed) and not self.values_left()
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

    def usual(self) -> list[BrowsedNode]:
        """What can be clicked and leads, by common sense, to what the goal speaks of; the likeliest first."""
        if not self.mind.skill.common_sense:
            return []
        wanted = self.goal.words | self.goal.focus
        found = [(usually_leads_to(node.stems, wanted), node) for node in self._clickable() if self._is_new(node)]
        return [node for count, node in sorted(found, key=lambda each: -each[0]) if count]

    def leads(self) -> list[BrowsedNode]:
        """What can be clicked and shares a word with the goal, the most telling first; not what was clicked here."""
        return [] if self.page is None else self._leads_on(self.page)

    def telling(self, nodes: Sequence[BrowsedNode]) -> list[BrowsedNode]:
        """Those that have at least half of what the goal says, or say nothing else."""
        goal = self.goal
        near_it = goal.purpose == "show" and self.shows_most
        words = self.words_left()
        whole, enough = self.weight(words), 2 if goal.named or near_it else 1
        return [
            node
            for node in nodes
            if 2 * self.weight(self.said_of(node) & words) >= whole
            or (node.stems <= goal.words | goal.kinds and len(node.stems) >= enough)
            or (node.stems <= goal.kinds and not self.right_place)
            or any(name <= node.stems for name in goal.names)
        ]

    def _is_new(self, node: BrowsedNode, page: BrowsedPage | None = None) -> bool:
        """Whether a link leads neither to its own page nor where the way here led before."""
        page = page or self.page
        if page is None or node.name.lower() in (page.title.lower(), page.heading.lower()):
            return False
        return all(deed.typed or web_stems(deed.name) != node.stems for deed in self.seen.trail)

    def untried(self) -> bool:
        """Whether a page that was seen has a telling link that was not followed, or a search that was not made."""
        pages = self.seen.pages.values()
        searched = any(deed.typed for deed in self.seen.done) or any(page.is_search for page in pages)
        can_search = any(node.role == "searchbox" for page in pages for node in page.nodes)
        return (can_search and not searched) or any(self.telling(self._leads_on(page)) for page in pages)

    def _leads_on(self, page: BrowsedPage) -> list[BrowsedNode]:
        words = self.words_left(page)
        dated, of_days = dated_items(page, self.goal.period) if self.goal.period else (False, ())
        in_time = {item.link.number for item in of_days if item.link is not None}
        listed = {item.link.number for item in items_on(page) if item.link is not None} if dated else set[int]()
        no_doors: Mapping[str, BrowsedNode] = {}
        nearer = page.nearer_doors if self.goal.named and self.right_place else no_doors
        named = [
            node
            for node in (nearer.get(door.name, door) for door in page.doors)
            if (self.said_of(node, page) & words or node.number in in_time)
            and (node.number not in listed or node.number in in_time)
            and self._is_new(node, page)
            and not is_sorter(node)
            and node.number not in page.heads_of_columns
        ]
        found = [node for node in named if not is_done(self.seen, node, page=page)]
        return sorted(
            found,
            key=lambda node: (
                node.number not in in_time,
                -self.weight(self.said_of(node, page) & words),
                -self.weight(node.stems & words),
                len(node.stems),
            ),
        )

    def said_of(self, node: BrowsedNode, page: BrowsedPage | None = None) -> frozenset[str]:
        """The words of what can be clicked; of a link in a list, of all that is said there, if that names something."""
        page = page or self.page
        said = frozenset[str]() if page is None else said_of_links(page).get(node.number, frozenset())
        return node.stems | said if said & self.goal.named or self.right_place else node.stems

    def menus(self) -> list[BrowsedNode]:
        """What shows more of the page's links or fields."""
        opened = {deed.name for deed in self.seen.done if deed.role in ("menu", "DisclosureTriangle")}
        closed = (node for node in self._clickable() if node.properties.get("expanded") == "False")
        return [node for node in closed if plain_name(node.name) not in opened]

    def tabs(self) -> list[BrowsedNode]:
        """The parts of the page that are not shown yet."""
        return [node for node in self._clickable() if node.role == "tab" and node.properties.get("selected") == "False"]

    def further(self) -> list[BrowsedNode]:
        """What leads on in a list of several pages."""
        links = [node for node in self._clickable() if node.role == "link"]
        here = [each.name for each in (self.page.nodes if self.page else ()) if each.role != "link"]
        after = [f"page {int(name.split()[-1]) + 1}" for name in here if _PAGE.fullmatch(name)]
        return [node for node in links if _NEXT.fullmatch(node.name) or node.name.lower() in after]

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
