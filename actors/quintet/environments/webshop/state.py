"""One customer's session in the shop."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from quintet.environments.snapshots import SnapshotCodec
from quintet.environments.webshop import pages
from quintet.environments.webshop.goals.goal import Goal
from quintet.environments.webshop.pages import ShopPosition
from quintet.environments.webshop.purchase import Purchase, actions_to_buy, first_product
from quintet.environments.webshop.reward.score import Nouns, PurchaseScore, score_purchase
from quintet.environments.webshop.shop.best import best_purchase
from quintet.environments.webshop.storefront import Storefront
from quintet.environments.webshop.texts import INVALID_ACTION, PageText, render, said_on_click, score_page
from quintet.messages.environment import Task
from quintet.ports.world import Opening, Outcome

Clicks: TypeAlias = Literal["line", "page"]
"""The client's answer when an option is chosen. `line`: `You have clicked VALUE.` `page`: the product's page, then that
line for each choice so far."""


@dataclass(frozen=True, eq=False)
class ShoppingTask:
    """The part that all sessions of a task share."""

    task: Task
    version: str
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


class WebShopState:
    """A customer on some page. A fork shares everything, since what changes is replaced."""

    __slots__ = ("_score", "_start", "_steps", "position")

    def __init__(self, start: ShoppingTask, now: ShopPosition, score: PurchaseScore | None, steps: int) -> None:
        self._start = start
        self.position = now
        self._score = score
        self._steps = steps
        """Actions so far; counted only if they are limited."""

    @property
    def opening(self) -> Opening:
        return self._start.opening

    @property
    def observation(self) -> str:
        if self._score is not None:
            return score_page(self._score.reward, self._start.form)
        return self._start.shown(self.position)

    def step(self, action: str) -> Outcome:
        reached = None if self._done else self._start.front.act(self.position, _encodable(action))
        if self._start.max_steps is not None and not self._done:
            self._steps += 1
        if reached is None:
            said = INVALID_ACTION if self._start.form == "client" else self.observation
            return self._outcome(said, rejected=True)
        self.position = reached
        self._score = self._start.score(reached)
        return self._outcome(self.observation, rejected=False)

    def admissible(self) -> tuple[str, ...] | None:
        return None  # any words can be searched for

    def expert(self) -> tuple[str, ...] | None:
        """The shortest way to the best purchase that is known."""
        if self._done:
            return ()
        purchase = self._start.purchase
        return None if purchase is None else actions_to_buy(self._start.front, self.position, purchase)

    def naive(self) -> tuple[str, ...] | None:
        """Search for the instruction, and buy the first product as it is."""
        if self._done:
            return ()
        purchase = first_product(self._start.front, self._start.goal.instruction)
        return None if purchase is None else actions_to_buy(self._start.front, self.position, purchase)

    def fork(self) -> "WebShopState":
        return WebShopState(self._start, self.position, self._score, self._steps)

    def snapshot(self) -> bytes:
        return _SNAPSHOTS.encode(self._start.task, self._start.version, _Held(self.position, self._steps))

    @property
    def _done(self) -> bool:
        limit = self._start.max_steps
        return self._score is not None or (limit is not None and self._steps >= limit)

    def _outcome(self, observation: str, *, rejected: bool) -> Outcome:
        score = self._score
        return Outcome(
            observation=observation,
            reward=0.0 if score is None else score.reward,
            done=self._done,
            rejected=rejected,
            figures={} if score is None else score.figures,
            tells_reward=score is not None,
        )


class _Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds."""

    now: ShopPosition
    steps: int


_SNAPSHOTS = SnapshotCodec("webshop", _Held)


def begin_shopping(start: ShoppingTask) -> WebShopState:
    """The state in which the task begins."""
    return WebShopState(start, ShopPosition(), None, 0)


def restore_shopping(start: ShoppingTask, snapshot: bytes) -> WebShopState:
    """The state that wrote the snapshot.

    Raises:
        WorldFault: no state of this task in this version wrote it.
    """
    held = _SNAPSHOTS.decode(start.task, start.version, snapshot)
    return WebShopState(start, held.now, start.score(held.now), held.steps)


def _encodable(action: str) -> str:
    """The action, with a question mark for what UTF-8 cannot encode."""
    return action.encode("utf-8", "replace").decode()
