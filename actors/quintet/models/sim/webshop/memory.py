"""A past in the shop in plain sentences, the subgoals of a task, and what goals and observations are about.

A summary tells pages again in one sentence each, with the words that the shop uses, so that they are read back as the
pages are. It keeps what matters: the best of the products that were listed, and all of what was opened and chosen.
"""

import re
from collections.abc import Iterator, Sequence

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.sorting import Topic
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webshop.pages import ID, ItemPage, ListedProduct, TextPage, read_page
from quintet.models.sim.webshop.picture import BACK, NEXT, PREV, ShopPicture, shop_after
from quintet.models.sim.webshop.progress import parts
from quintet.models.sim.webshop.shopping import shopping_of
from quintet.models.sim.webshop.task import ShopTask
from quintet.models.sim.webshop.topics import shop_topic
from quintet.models.sim.webshop.wanted import Wanted, stems

_MOST_LISTED = 5

_ENDING = re.compile(r"(?<=[.!])\s+")
"""Between sentences, and so left out within one."""
_SEARCHED = re.compile(r"i searched for: (?P<words>.+)", re.IGNORECASE)
_SAW = re.compile(rf"i saw \[(?P<id>{ID})\]: (?P<title>.+) at (?P<price>\$.+)", re.IGNORECASE)
_OPENED = re.compile(rf"i opened \[(?P<id>{ID})\]: (?P<page>.+)", re.IGNORECASE)
_READ = re.compile(r"its (?P<button>features|description|reviews) say: (?P<text>.+)", re.IGNORECASE)
_WENT = re.compile(r"i went back or on (?P<times>\d{1,3}) times", re.IGNORECASE)
_CHOSE = re.compile(r"i chose (?P<value>.+)", re.IGNORECASE)


class WebshopMemory(Player[ShopTask]):
    """Writes and reads what a memory holds of shopping."""

    def subgoals(self, reading: Reading[ShopTask], mind: Mind) -> Iterator[tuple[str, bool]]:
        shop = shopping_of(reading, mind)
        wrong = mind.misreading.wrong
        for part, share in parts(shop):
            yield part, (share >= 1) != wrong(reading.task.wording, "is done", part)

    def sum_up(self, task: ShopTask, steps: Sequence[Exchange]) -> Iterator[str]:
        seen = shop_after(task.page, task.found, steps)
        yield from (f"I searched for: {_in_one(query)}." for query in seen.queries)
        yield from (
            f"I saw [{each.product}]: {_in_one(each.title)} at {each.price}."
            for each in _likeliest(seen, task.goal.wanted)
        )
        for step in steps:
            page = read_page(step.observation)
            if isinstance(page, ItemPage) and (opened := re.search(rf"\[({ID})\]", step.action.upper())):
                yield f"I opened [{opened[1]}]: {_in_one(step.observation)}."
            elif isinstance(page, TextPage) and (button := re.fullmatch(r"click\[([a-z]+)\]", step.action)):
                yield f"Its {button[1]} say: {_in_one(page.text)}."
        yield from (f"I chose {_in_one(value)}." for value in seen.chosen)
        if turns := sum(step.action in (PREV, NEXT, BACK) for step in steps):
            yield f"I went back or on {turns} times."

    def hear(self, sentence: str) -> Iterator[Exchange]:
        said = sentence.strip().removesuffix(".")
        if searched := _SEARCHED.fullmatch(said):
            yield Exchange(f"search[{searched['words']}]", "[Back to Search] Page 1 (Total results: 0)")
        elif saw := _SAW.fullmatch(said):
            listing = f"[{saw['id']}] {saw['title']} {saw['price']}"
            yield Exchange("", f"[Back to Search] Page 1 (Total results: 1) {listing}")
        elif opened := _OPENED.fullmatch(said):
            yield Exchange(f"click[{opened['id'].lower()}]", opened["page"])
        elif read := _READ.fullmatch(said):
            yield Exchange(f"click[{read['button'].lower()}]", f"[Back to Search] [< Prev] {read['text']}")
        elif chose := _CHOSE.fullmatch(said):
            yield Exchange(f"click[{chose['value']}]", f"You have clicked {chose['value']}.")

        elif went := _WENT.fullmatch(said):
            yield from [Exchange(PREV, "")] * int(went["times"])

    def topic(self, text: str) -> Topic | None:
        return shop_topic(text)


def _in_one(text: str) -> str:
    """A text as a part of one sentence."""
    return _ENDING.sub("; ", " ".join(text.split())).rstrip(" .")


def _likeliest(seen: ShopPicture, wanted: Wanted) -> list[ListedProduct]:
    """The products whose titles show most of what is wanted, in the order in which they were listed."""
    order = sorted(seen.listed.values(), key=lambda each: -len(stems(each.title).intersection(wanted.words)))
    return [each for each in seen.listed.values() if each in order[:_MOST_LISTED]]
