"""The inputs of a decision on websites: the task, the picture of the pages, and the mind."""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from quintet.models.sim.mind import Mind
from quintet.models.sim.transcript import Reading
from quintet.models.sim.webarena.answers import FoundAnswer, answers_on
from quintet.models.sim.webarena.common_sense import usually_leads_to
from quintet.models.sim.webarena.forms import shows_error
from quintet.models.sim.webarena.page import LINKS, BrowsedNode, BrowsedPage
from quintet.models.sim.webarena.picture import WebPicture, is_done, pages_after
from quintet.models.sim.webarena.task import WebGoal, WebPromptTask
from quintet.models.sim.webarena.words import web_stems

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
        found = answers_on(self.goal, self.page) if self.page is not None and self.goal.purpose == "answer" else []
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
        right = not searched and self.goal.words <= (
            self.page.all_stems if self.goal.anywhere else self.page.heading_stems
        )
        return right != self.wrong("is shown", self.page.url or self.page.title)

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
        found = [(usually_leads_to(node.stems, wanted), node) for node in self._clickable()]
        return [node for count, node in sorted(found, key=lambda each: -each[0]) if count]

    def leads(self) -> list[BrowsedNode]:
        """What can be clicked and shares a word with the goal, the most telling first; not what was clicked here."""
        if self.page is None:
            return []
        here = (web_stems(self.page.title), web_stems(self.page.heading))
        found = [node for node in self._clickable() if node.stems & self.goal.words and node.stems not in here]
        return sorted(found, key=lambda node: (-len(node.stems & self.goal.words), len(node.stems)))

    def others(self) -> list[BrowsedNode]:
        """The links that share no word with the goal and were not clicked here."""
        return [node for node in self._clickable() if node.role == "link" and not node.stems & self.goal.words]

    def _clickable(self) -> Iterator[BrowsedNode]:
        names: set[str] = set()
        for node in self.page.nodes if self.page is not None else ():
            if _opens(node) and node.name not in names:
                names.add(node.name)
                if not is_done(self.seen, node):
                    yield node


def _opens(node: BrowsedNode) -> bool:
    """Whether a click shows something else, and changes nothing."""
    if node.role == "button":
        return node.properties.get("expanded") == "False"
    return node.role in LINKS - {"option", "checkbox", "radio"}


def browsing_of(reading: Reading[WebPromptTask], mind: Mind, instead_of: Set[str] = frozenset()) -> Browsing:
    """The moment as a reader with this mind sees it, and the actions to do without."""
    steps = mind.skill.remembered(reading)
    return Browsing(reading.task, pages_after(reading.task.page, steps), mind, instead_of)
