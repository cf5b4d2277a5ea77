"""Reflects on a job in the shop, and writes the plan from it.

A reader of the whole job compares what was bought with the goal: an option that was offered and not chosen, a price
that is too high, words that the product does not show. Nothing bought is a flaw too. What was refused is told as it was
answered. A purchase that earned all has no flaw.

Every level knows how a shop goes, so a plan can only add habits. Where a job failed and no reflection says why, the
writer changes one habit at a guess.
"""

from collections.abc import Iterator, Sequence

from quintet.messages.planning import Lesson
from quintet.models.sim.draws import Misreading
from quintet.models.sim.hindsight import learn_habits
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.player import Player
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webshop.fit import Buyer
from quintet.models.sim.webshop.pages import ShopAnswer, read_page
from quintet.models.sim.webshop.picture import ShopPicture, shop_after
from quintet.models.sim.webshop.shopping import says_to_choose
from quintet.models.sim.webshop.task import ShopTask

CHOOSE = "Before you buy it, choose the value of every option that the goal names: click[<value>]."
_READ = "Before you buy it, read its features: click[features], then click[< prev]."
_COMPARE = "Where the price is too high or something is missing, go back and open another product: click[< prev]."
_HABITS = (_COMPARE, _READ, CHOOSE)
"""What a plan may ask for beside searching and buying, in one sentence each."""


class WebshopHindsight(Player[ShopTask]):
    """Looks back on jobs, and writes their plan."""

    def summarize(self, steps: Sequence[Exchange]) -> Iterator[str]:
        return (step.action for step in steps if step.action and _carried_out(step))

    def find_flaws(self, reading: Reading[ShopTask], plan: str) -> Iterator[str]:
        seen, buyer = _whole(reading)
        refused = {step.action: step.observation for step in reading.steps if step.action and _is_refused(step)}
        yield from (f"- {action}: {said}" for action, said in refused.items())
        if seen.bought is None:
            yield from ["- No product was bought."] if seen.listed else []
            return
        product = seen.products.get(seen.bought)
        if product is None or seen.score == 1:
            return
        for name, value in not_chosen(seen, buyer).items():
            yield f"- click[buy now]: the goal asks for {value}, and the option {name} was not chosen."
        fit = buyer.of_product(seen.bought, product)
        if not fit.price:
            yield f"- click[buy now]: {product.page.title} costs more than the goal allows."
        if fit.missing:
            yield f"- click[buy now]: {product.page.title} shows nothing of: {', '.join(fit.missing)}."

    def suggest(self, reading: Reading[ShopTask], plan: str, skill: Skill) -> Iterator[str]:
        seen, buyer = _whole(reading)
        product = seen.products.get(seen.bought or "")
        if product is None or seen.bought is None or seen.score == 1:
            return
        fit = buyer.of_product(seen.bought, product)
        if not fit.price or fit.missing:
            yield _COMPARE
        if fit.missing and not product.texts:
            yield _READ
        if not_chosen(seen, buyer):
            yield CHOOSE

    def rewrite_plan(
        self, plan: str, jobs: Sequence[tuple[ShopTask, Lesson]], instructions: str, mind: Mind
    ) -> Sequence[str] | None:
        habits = learn_habits(_HABITS, plan, [lesson for _, lesson in jobs], _has, mind)
        if habits is None:
            return None
        return [
            "Search for the words of the goal, without the price: search[<words>].",
            "Open the product whose title and price fit best: click[<id>].",
            *habits,
            "Buy it: click[buy now].",
        ]


def _whole(reading: Reading[ShopTask]) -> tuple[ShopPicture, Buyer]:
    """What all steps show, and one who compares it with the goal without an error."""
    task = reading.task
    return shop_after(task.page, task.found, reading.steps), Buyer(task.wording, task.goal.wanted, Misreading(0.0))


def not_chosen(seen: ShopPicture, buyer: Buyer) -> dict[str, str]:
    """By option of the product that was bought: the value that the goal means and that was not chosen."""
    if seen.bought not in seen.products:
        return {}
    meant = buyer.meant(seen.bought, seen.products[seen.bought])
    return {name: value for name, value in meant.items() if value not in seen.chosen}


def _has(text: str, habit: str) -> bool:
    return says_to_choose([text]) if habit == CHOOSE else habit in text


def _is_refused(step: Exchange) -> bool:
    return read_page(step.observation) == ShopAnswer("invalid")


def _carried_out(step: Exchange) -> bool:
    return bool(step.observation) and not _is_refused(step)
