"""Plans one task in the shop, and judges which of the plan's steps an action serves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quintet.models.sim.mind import Mind
from quintet.models.sim.player import Player
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webshop.pages import ItemPage, ResultsPage, SearchPage, ShopAnswer, TextPage, read_page
from quintet.models.sim.webshop.shopping import shopping_of
from quintet.models.sim.webshop.task import ShopTask, read_shop_goal
from quintet.models.sim.webshop.wanted import content_stems, criteria, read_wanted, stems

_MOST_LISTED = 5


class WebshopSteps(Player[ShopTask]):
    """Plans to search, find and buy, and judges it step by step."""

    def plan_steps(self, reading: Reading[ShopTask], mind: Mind) -> Iterator[str]:
        """What is left to do: nothing is searched for that is there, and no product found that is settled on."""
        shop, wording = shopping_of(reading, mind), reading.task.wording
        if shop.goal.purpose != "shop":
            yield wording
            return
        if not shop.seen.listed and not shop.seen.products:
            yield f"search for {next(shop.queries())}"
        if not shop.settles():
            yield f"find the product that matches {criteria(wording)}"
        yield f"buy it with {criteria(wording)}"

    def with_goal(self, task: ShopTask, goal: str, times: int) -> ShopTask | None:
        part = read_shop_goal(goal)
        return None if part is None else replace(task, wording=goal, goal=part)

    def serves(self, reading: Reading[ShopTask], before: Exchange, done: Exchange, mind: Mind) -> bool:
        """Whether it showed results, a product that may still fit or more of it, or chose or bought what is meant."""
        shop = shopping_of(replace(reading, steps=(), past=(before, done)), mind)
        seen, here = shop.seen, shop.seen.here
        match read_page(done.observation):
            case ResultsPage(listings=listings):
                return bool(listings) and read_page(before.observation) != read_page(done.observation)
            case SearchPage():
                return shop.goal.purpose == "search"
            case ItemPage():
                return here in seen.products and (shop.settles() or shop.reads_on() or shop.fit(here).fits)
            case TextPage():
                return True
            case ShopAnswer(kind="clicked", value=value):
                if here in seen.products:
                    return value in shop.buyer.meant(here, seen.products[here]).values()
                return not set(content_stems(value)).isdisjoint(shop.goal.wanted.words)
            case ShopAnswer(kind="bought"):
                return seen.bought not in seen.products or (shop.fit(here).price and not shop.to_choose())
            case _:
                return False

    def shorten(self, goal: str, observation: str) -> str | None:
        """Of a page of results, the products whose titles show most of the goal; of another page, all of it."""
        page = read_page(observation)
        if not isinstance(page, ResultsPage):
            return None if page is None else observation
        wanted = read_wanted(goal).words
        order = sorted(page.listings, key=lambda each: -len(stems(each.title).intersection(wanted)))
        kept = {each.product for each in order[:_MOST_LISTED]}
        left = [each for each in page.listings if each.product in kept]
        head = f"[Back to Search]\nPage {page.number} (Total results: {page.total})"
        return "\n".join([head, *["[Next >]"] * page.more, *(f"[{e.product}]\n{e.title}\n{e.price}" for e in left)])

    def outlasting(self, steps: Sequence[Exchange]) -> Iterator[Exchange]:
        """What pages showed; after that, the shop is where a search begins."""
        yield from (
            step for step in steps if isinstance(read_page(step.observation), ResultsPage | ItemPage | TextPage)
        )
        if steps:
            yield Exchange("", "WebShop [Search]")
