"""The inputs of a decision in the shop: the task, the picture of the shop, the beliefs and the mind."""

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import lru_cache

from quintet.models.sim.mind import Mind
from quintet.models.sim.transcript import Reading
from quintet.models.sim.webshop.fit import Buyer, Fit
from quintet.models.sim.webshop.pages import ID, ItemPage, ListedProduct, ResultsPage
from quintet.models.sim.webshop.picture import ShopPicture, shop_after
from quintet.models.sim.webshop.task import ShopGoal, ShopTask
from quintet.models.sim.webshop.wanted import query_words

_PATIENCE = 15
"""A reader expects the shop to close after so many actions, as WebShop does (Yao et al., 2022)."""
_READING = 2
"""Actions to read a text of a product, and to go back to its page."""
_LOOKING = 3
"""Actions to open a product and read its features."""
_GOING_BACK = 2
"""Actions to leave a product, and open another one of the same page of results again."""
_MOST_QUERIES = 12
TEXTS = ("features", "description")
"""What is read of a product, in this order, as long as a word is missing."""

_CHOOSING = re.compile(
    r"\b(?:choose|select|pick)\b[^.\n]{0,60}\b(?:options?|values?|sizes?|colou?rs?)\b", re.IGNORECASE
)
_BUYING = re.compile(r"\b(?:buy|bought|goal|instruction|criteria|asks?|names?|wants?|wanted)\b", re.IGNORECASE)
_CHOSEN = re.compile(r"\byou have clicked (?!buy now)|\[\[[^\[\]]+\]\]", re.IGNORECASE)
"""What the shop shows once an option was chosen."""
_NEGATED = re.compile(r"\b(?:not|never|no need|without)\b|n't\b", re.IGNORECASE)
_SHUNNED = re.compile(rf"\bdo not buy \[({ID})\]")
_SENTENCE = re.compile(r"(?<=[.;])\s+|\n")


@dataclass(frozen=True)
class Shopping:
    """One moment of a task."""

    task: ShopTask
    seen: ShopPicture
    buyer: Buyer
    mind: Mind
    chooses: bool
    """It believes that options have to be chosen before a product is bought."""
    instead_of: Set[str] = frozenset()
    """Actions to do without."""

    @property
    def goal(self) -> ShopGoal:
        return self.task.goal

    def allowed(self, action: str) -> bool:
        """Whether an action is worth a try: it was not impossible here, and is none to do without."""
        return action not in self.instead_of and action not in self.seen.refused

    def target(self) -> str:
        """The product that is meant; empty where the page that is open shows it, or none is named."""
        if self.goal.product or isinstance(self.seen.page, ItemPage):
            return self.goal.product
        return self.task.found

    def fit(self, key: str) -> Fit:
        """How a product fits whose page was open."""
        return self.buyer.of_product(key, self.seen.products[key])

    def best(self) -> str | None:
        """The best of the products whose pages were open, the first of several."""
        return max(self.seen.products, key=self._merit, default=None)

    def _merit(self, key: str) -> tuple[bool, bool, bool, float]:
        fit = self.fit(key)
        return fit.fits, fit.price, fit.kind, fit.share

    def candidates(self) -> list[ListedProduct]:
        """The products of the page that were not open and whose price is low enough, the best titles first."""
        page = self.seen.page
        left = page.listings if isinstance(page, ResultsPage) else tuple(self.seen.listed.values())
        fits = [(self.buyer.of_listing(each), each) for each in left if each.product not in self.seen.products]
        wanted = [(fit, each) for fit, each in fits if fit.price]
        return [each for _, each in sorted(wanted, key=lambda pair: (-pair[0].kind, -pair[0].share))]

    def unread(self) -> tuple[str, ...]:
        """The texts of the product that come after the last one that was read."""
        read = [number for number, text in enumerate(TEXTS) if text in self.seen.products[self.seen.here].texts]
        return TEXTS[read[-1] + 1 if read else 0 :]

    def has_time(self, actions: int) -> bool:
        """Whether there is time for so many actions, and to choose the options of the best product and buy it."""
        best = self.best()
        values = 0 if best is None else len(self.buyer.meant(best, self.seen.products[best]))
        return self.seen.actions + actions + values + 1 <= _PATIENCE

    def looks_on(self) -> bool:
        """Whether there are other products to look at, and time for one and for going back to the best."""
        leaving = isinstance(self.seen.page, ItemPage)
        if self.candidates():
            return self.has_time(leaving + _LOOKING + self._going_back(self.seen.number))
        return self.seen.more and self.has_time(leaving + 1 + _LOOKING + self._going_back(self.seen.number + 1))

    def _going_back(self, number: int) -> int:
        """Actions from a product of that page of results to the best that was open."""
        best = self.best()
        return 0 if best is None else _GOING_BACK + abs(number - self.seen.found_on.get(best, number))

    def reads_on(self) -> bool:
        """Whether the texts of the product whose page is open may show what is missing."""
        fit = self.fit(self.seen.here)
        going_back = 0 if self.best() == self.seen.here else self._going_back(self.seen.number)
        is_open = fit.price and not fit.fits and not self.seen.chosen
        return is_open and bool(self.unread()) and self.has_time(_READING + going_back)

    def settles(self) -> bool:
        """Whether the product whose page is open is the one to buy: it fits, or is the best that there is time for.

        Whoever chose an option of it had decided.
        """
        if self.seen.here not in self.seen.products or not isinstance(self.seen.page, ItemPage):
            return False
        if self.fit(self.seen.here).fits or self.seen.chosen:
            return True
        return not self.reads_on() and not self.looks_on() and self.best() == self.seen.here

    def queries(self) -> Iterator[str]:
        """What to search for: all words, then without one of them, the last first."""
        words = query_words(self.goal.wanted) or self.goal.wanted.text.split()
        yield " ".join(words)
        for left_out in reversed(range(max(1, len(words) - _MOST_QUERIES), len(words))):
            yield " ".join((*words[:left_out], *words[left_out + 1 :]))

    def to_choose(self) -> list[str]:
        """The option values that are still to be chosen for the product whose page is open."""
        if not self.chooses or self.seen.here not in self.seen.products:
            return []
        meant = self.buyer.meant(self.seen.here, self.seen.products[self.seen.here])
        return [value for value in meant.values() if value not in self.seen.chosen]


def shopping_of(
    reading: Reading[ShopTask], mind: Mind, instead_of: Set[str] = frozenset(), advice: str = ""
) -> Shopping:
    """The moment as a reader with this mind sees it.

    Args:
        reading: the conversation.
        mind: how well it is read.
        instead_of: actions to do without.
        advice: a plan, or what was learnt from failed attempts; it may name products not to buy.
    """
    steps, task = mind.skill.remembered(reading), reading.task
    texts = (*reading.texts, *(f"{step.action}\n{step.observation}" for step in steps))
    return Shopping(
        task=task,
        seen=shop_after(task.page, task.found, steps),
        buyer=Buyer(task.wording, task.goal.wanted, mind.misreading, frozenset(_SHUNNED.findall(advice))),
        mind=mind,
        chooses=not mind.skill.misled or says_to_choose(texts),
        instead_of=instead_of,
    )


def says_to_choose(texts: Iterable[str]) -> bool:
    """Whether a text says, or a worked example shows, that options are chosen before a product is bought."""
    return any(map(_says_to_choose, texts))


@lru_cache(maxsize=16384)
def _says_to_choose(text: str) -> bool:
    return _CHOSEN.search(text) is not None or any(
        _CHOOSING.search(sentence) and _BUYING.search(sentence) and not _NEGATED.search(sentence)
        for sentence in _SENTENCE.split(text)
    )
