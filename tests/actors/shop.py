"""A world in which going back is not exact: what is restored has other ids, and what was ordered stays ordered."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Forks, Opening, Outcome

THINGS = ("milk", "salt", "tea")
TEA = Task(name="tea", seed=0)


class Visit(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A snapshot."""

    task: Task
    number: Annotated[int, Meta(ge=1, le=10**9)]
    """From 1; each restore makes it one greater."""
    basket: tuple[str, ...]
    ordered: tuple[str, ...]
    """When it was written."""


class ShopState:
    """`click ID` puts a thing into the basket; `order` orders what is in it, and is lasting."""

    def __init__(self, task: Task, orders: list[str], number: int = 1, basket: tuple[str, ...] = ()) -> None:
        self._task = task
        self._orders = orders
        self._number = number
        self._basket = basket

    @property
    def opening(self) -> Opening:
        setting = f'A shop. "click ID" takes a thing, "order" buys what was taken. {_page(1, (), ())}'
        goal = f"order {self._task.name}"
        return Opening(observation=f"{setting} Goal: {goal}.", setting=setting, goal=goal)

    @property
    def observation(self) -> str:
        page = self._page()
        return self.opening.observation if page == _page(1, (), ()) else page

    def step(self, action: str) -> Outcome:
        rejected = action not in self.admissible()
        lasting = action == "order" and not rejected
        if lasting:
            self._orders += self._basket
            self._basket = ()
        elif not rejected:
            self._basket = (*self._basket, self._ids()[int(action.removeprefix("click "))])
        done = self._task.name in self._orders
        seen = "Nothing happens." if rejected else self._page()
        return Outcome(observation=seen, reward=float(done), done=done, rejected=rejected, lasting=lasting)

    def admissible(self) -> tuple[str, ...]:
        if self._task.name in self._orders:
            return ()
        clicks = (f"click {id}" for id, thing in self._ids().items() if thing not in self._basket)
        return tuple(sorted([*clicks, *["order"] * bool(self._basket)]))

    def expert(self) -> tuple[str, ...]:
        if self._task.name in self._orders:
            return ()
        clicks = (f"click {id}" for id, thing in self._ids().items() if thing == self._task.name)
        return ("order",) if self._task.name in self._basket else (*clicks, "order")

    def fork(self) -> "ShopState":
        return ShopState(self._task, list(self._orders), self._number, self._basket)

    def snapshot(self) -> bytes:
        return msgspec.msgpack.encode(Visit(self._task, self._number, self._basket, tuple(self._orders)))

    def _ids(self) -> dict[int, str]:
        return _ids(self._number)

    def _page(self) -> str:
        return _page(self._number, self._basket, self._orders)


class Shop:
    """Order a thing. It inherits nothing: it is a world by its members.

    One shop in a process serves all sessions on snapshots of a task; opening a task begins anew.
    """

    name = "shop"
    version = "1"
    forks: Forks = "copy"
    exact = False
    splits: tuple[str, ...] = ("all",)
    _orders: ClassVar[dict[tuple[str, int], list[str]]] = {}
    """By the name and the seed of a task, what was ordered."""

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self.splits:
            raise UsageError(f"split: expected one of {self.splits}, got {split!r}")
        return THINGS

    def metadata(self, task: str) -> Mapping[str, str]:
        _check(task)
        return {}

    def open(self, task: Task) -> ShopState:
        _check(task.name)
        orders = self._orders[task.name, task.seed] = []
        return ShopState(task, orders)

    def restore(self, task: Task, snapshot: bytes) -> ShopState:
        _check(task.name)
        try:
            visit = msgspec.msgpack.decode(snapshot, type=Visit)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise WorldFault(f"expected a snapshot, got {error}") from error
        if visit.task != task:
            raise WorldFault(f"expected a snapshot of {task}, got one of {visit.task}")
        orders = self._orders.get((task.name, task.seed), [])
        if orders[: len(visit.ordered)] != [*visit.ordered]:  # the shop is another process's
            orders = [*visit.ordered]
        self._orders[task.name, task.seed] = orders
        return ShopState(task, orders, visit.number + 1, visit.basket)


def _check(task: str) -> None:
    if task not in THINGS:
        raise UsageError(f"task: expected one of {', '.join(THINGS)}, got {task!r}")


def _ids(number: int) -> dict[int, str]:
    return dict(enumerate(THINGS, start=number * 10 + 1))


def _page(number: int, basket: tuple[str, ...], orders: list[str] | tuple[str, ...]) -> str:
    shelf = ", ".join(f"[{id}] {thing}" for id, thing in _ids(number).items())
    return f"Shelf: {shelf}. Basket: {_list(basket)}. Bought: {_list(orders)}."


def _list(things: list[str] | tuple[str, ...]) -> str:
    return ", ".join(things) or "nothing"
