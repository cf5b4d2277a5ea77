"""The player of WebShop: one answerer for each request."""

import re
from collections.abc import Iterator, Set
from dataclasses import replace

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Decomposition, Move
from quintet.models.sim.transcript import Exchange, Reading, without_opening
from quintet.models.sim.webshop.hindsight import WebshopHindsight, not_chosen
from quintet.models.sim.webshop.memory import WebshopMemory
from quintet.models.sim.webshop.moves import shopping_move
from quintet.models.sim.webshop.pages import ID
from quintet.models.sim.webshop.picture import BACK, BUY, NEXT, PREV
from quintet.models.sim.webshop.progress import parts, progress_of
from quintet.models.sim.webshop.shopping import Shopping, shopping_of
from quintet.models.sim.webshop.steps import WebshopSteps
from quintet.models.sim.webshop.task import ShopTask, read_shop_exchange, read_shop_task
from quintet.models.sim.webshop.wanted import criteria, shown_in_lists

_MOST_MATCHED = 3

_FORMS = re.compile(r"\bsearch\[.*\bclick\[", re.DOTALL)
_MEANT = tuple(
    (re.compile(said, re.IGNORECASE), form)
    for said, form in (
        (r"(?:search|look) for (?P<x>.+)", "search[{x}]"),
        (r"(?:search|click) ?\[(?P<x>.+)\]", ""),
        (r"(?:click (?:on )?)?(?:the )?buy now(?: button)?|buy (?:it|the product|this product)", BUY),
        (r"(?:go |turn )?back to (?:the )?search(?: page)?", BACK),
        (r"(?:go |turn )back|(?:go to )?(?:the )?previous page", PREV),
        (r"(?:go to )?(?:the )?next page", NEXT),
        (rf"(?:open|click(?: on)?|look at) (?:the )?(?:product )?\[?(?P<x>{ID})\]?", "click[{x}]"),
        (r"(?:read|open|look at) (?:the |its )?(?P<x>features|description|reviews)", "click[{x}]"),
        (r"(?:click(?: on)?|choose|select|pick) (?:the )?(?:option |value )?(?P<x>.+)", "click[{x}]"),
    )
)


class WebshopPlayer(WebshopHindsight, WebshopMemory, WebshopSteps):
    """Searches for the words of the goal, reads what it opens, and buys what fits best."""

    idle = Move("I see nothing more to do, so I go back.", BACK)

    def read_task(self, text: str) -> ShopTask | None:
        return read_shop_task(text)

    def read_exchange(self, answer: str, observation: str) -> Exchange:
        return read_shop_exchange(answer, observation)

    def decide(self, reading: Reading[ShopTask], mind: Mind, plan: str, instead_of: Set[str] = frozenset()) -> Move:
        return shopping_move(shopping_of(reading, mind, instead_of, plan))

    def decompose(self, reading: Reading[ShopTask], mind: Mind) -> Decomposition:
        """Search, shortlist and buy; instead of a shortlist, one product of the page or another."""
        shop, wording = shopping_of(reading, mind), reading.task.wording
        match shop.goal.purpose:
            case "shop":
                steps = [
                    f"search for {next(shop.queries())}",
                    f"shortlist products from the page that match {shown_in_lists(wording)}",
                    f"buy it with {criteria(wording)}",
                ]
                return Decomposition("Thought: First I search, then I choose from what is found, then I buy.", steps)
            case "shortlist" | "find":
                thought = "Thought: The titles do not tell enough, so I look at the products one by one."
                return Decomposition(thought, list(_matches(shop)) or [wording], any_one=True)
            case _:
                return Decomposition("Thought: This is one step.", [wording])

    def progress(self, reading: Reading[ShopTask], mind: Mind) -> float:
        return progress_of(shopping_of(reading, mind))

    def left_to_do(self, reading: Reading[ShopTask], mind: Mind) -> Iterator[str]:
        shop = shopping_of(replace(reading, steps=(), past=reading.steps), mind)
        if shop.seen.bought in shop.seen.listed and not not_chosen(shop.seen, shop.buyer):
            yield f"Next time: do not buy [{shop.seen.bought}], which does not fit."
        for part, share in parts(shop):
            if share < 1:
                yield f"Next time: {part}."

    def formalize(self, action: str, instructions: str) -> str | None:
        if not _FORMS.search(instructions):
            return None
        action = " ".join(action.split()).rstrip(".")
        meant = without_opening(action)
        for said, form in _MEANT:
            if found := said.fullmatch(meant):
                return (form.format(**found.groupdict()) if form else meant).lower()
        return action


def _matches(shop: Shopping) -> Iterator[str]:
    wanted = re.sub(r"^.*?\b(?:that|which) match(?:es)? ", "", shop.task.wording)
    for each in shop.mind.chance.order(shop.candidates()[:_MOST_MATCHED]):
        yield f"match the product [{each.product}] against {wanted}"
