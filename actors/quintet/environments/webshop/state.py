"""One customer's session in the shop."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from quintet.environments.webshop import pages
from quintet.environments.webshop.goals.instructions import Goal
from quintet.environments.webshop.pages import INVALID_ACTION, PageText, ShopPosition, render, said_on_click, score_page
from quintet.environments.webshop.purchase import Purchase, actions_to_buy, best_purchase, first_product
from quintet.environments.webshop.reward.score import Nouns, PurchaseScore, score_purchase
from quintet.environments.webshop.storefront import Storefront
from quintet.ports.world import Opening, Outcome, WorldState

Clicks: TypeAlias = Literal["line", "page"]
"""The client's answer when an option is chosen. `line`: `You have clicked VALUE.` `page`: the product's page, then that
line for each choice so far."""


@dataclass(frozen=True, eq=False)
class ShoppingTask:
    """The part that all sessions of a task share."""

    goal: Goal
    front: Storefront
    nouns: Nouns
    form: PageText
    clicks: Clicks
    max_steps: int | None
    """Actions until the session ends; None: it does not end by itself."""

    @cached_property
    def purchase(self) -> Purchase | None:
        return best_purchase(self.front.catalogue, self.goal)

    @cached_property
    def opening(self) -> Opening:
        page = pages.search_page(self.goal.instruction)
        setting = render((page[0], page[-1]), self.form)
        return Opening(observation=render(page, self.form), setting=setting, goal=self.goal.instruction)

    def shown(self, now: ShopPosition) -> str:
        """What is seen at a position, before anything is bought."""
        if self.form == "client" and self.clicks == "line" and now.clicked:
            return said_on_click(now.chosen[-1][1])
        page = self.front.parts(now, self.goal.instruction)
        if self.form == "gym" and now.page != "search":
            page = (*pages.instruction_lines(self.goal.instruction), *page)
        choices = now.chosen if self.clicks == "page" and self.form == "client" and now.page == "item" else ()
        return "\n".join((render(page, self.form), *(said_on_click(value) for _, value in choices)))

    def score(self, now: ShopPosition) -> PurchaseScore | None:
        """The score of what was bought; None: nothing was."""
        if now.page != "bought":
            return None
        number = self.front.catalogue.number(now.asin)
        assert number is not None
        price = self.front.catalogue.price(number)
        return score_purchase(self.front.product(now), self.goal, dict(now.chosen), price, nouns=self.nouns)


class WebShopState(WorldState):
    """A customer on some page."""

    position: ShopPosition
    steps: int
    """Actions so far; counted only if they are limited."""

    def __init__(self, start: ShoppingTask) -> None:
        super().__init__(start.opening)
        self._start = start
        self.position = ShopPosition()
        self.steps = 0

    def step(self, action: str) -> Outcome:
        start, score = self._start, None
        action = action.encode(errors="replace").decode()  # what UTF-8 cannot encode becomes a question mark
        reached = None if self.done else start.front.act(self.position, action)
        if start.max_steps is not None and not self.done:
            self.steps += 1
        if reached is None:
            score = start.score(self.position)
            said = INVALID_ACTION if start.form == "client" else self.observation
        else:
            self.position = reached
            score = start.score(reached)
            said = self.observation = (
                start.shown(reached) if score is None else score_page(reached, score.reward, start.form)
            )
        self.reward = 0.0 if score is None else score.reward
        self.done = score is not None or (start.max_steps is not None and self.steps >= start.max_steps)
        return Outcome(
            observation=said,
            reward=self.reward,
            done=self.done,
            rejected=reached is None,
            figures={} if score is None else score.figures,
            tells_reward=score is not None,
            final_answer=score is not None and reached is not None,
        )

    def expert(self) -> tuple[str, ...] | None:
        """The shortest way to the best purchase that is known."""
        if self.done:
            return ()
        purchase = self._start.purchase
        return None if purchase is None else actions_to_buy(self._start.front, self.position, purchase)

    def naive(self) -> tuple[str, ...] | None:
        """Search for the instruction, and buy the first product as it is."""
        if self.done:
            return ()
        purchase = first_product(self._start.front, self._start.goal.instruction)
        return None if purchase is None else actions_to_buy(self._start.front, self.position, purchase)
