"""Budget: what a run and each of its episodes may spend, held by reserving the most that every call can cost."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from deploy.prices.table import NANODOLLARS, Nanodollars
from protocols.errors import AllowanceSpent, BudgetSpent, Fault
from protocols.models import Usage
from protocols.paths import Path, episode_of
from protocols.quota import Charge, Charges, Permit

Cost = Callable[[str, Usage], Nanodollars]
"""What usage of a model costs."""


@dataclass(frozen=True)
class Allowed:
    """The most that may be spent; None: no limit."""

    nanodollars: int | None = None
    tokens: int | None = None

    @property
    def unlimited(self) -> bool:
        """Nothing is limited."""
        return self.nanodollars is None and self.tokens is None

    def holds(self, nanodollars: int, tokens: int) -> bool:
        """Whether so much may be spent."""
        return (self.nanodollars is None or nanodollars <= self.nanodollars) and (
            self.tokens is None or tokens <= self.tokens
        )

    def of(self, nanodollars: int, tokens: int) -> "Allowed":
        """Of what was spent, the part that is limited."""
        return Allowed(
            None if self.nanodollars is None else nanodollars,
            None if self.tokens is None else tokens,
        )

    def __str__(self) -> str:
        parts = [] if self.nanodollars is None else [f"{self.nanodollars / NANODOLLARS:.6g} USD"]
        return " and ".join(parts if self.tokens is None else [*parts, f"{self.tokens:,} tokens"])


@dataclass
class _Account:
    """What was spent and reserved."""

    nanodollars: int = 0
    tokens: int = 0
    open: int = 0
    """Reservations."""

    def add(self, nanodollars: int, tokens: int, reservations: int = 0) -> None:
        self.nanodollars += nanodollars
        self.tokens += tokens
        self.open += reservations


@dataclass(frozen=True, eq=False)
class _Waiting:
    charge: Charge
    nanodollars: int
    tokens: int
    reserved: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Budget:
    """Holds a run and its episodes to what they may spend.

    Nothing is ever overdrawn, as long as no endpoint uses more tokens than the bounds that were reserved.

    Args:
        run: what the whole run may spend, all its starts together.
        episode: what every attempt at a task may spend.
        cost: the price of usage.
        charges: where they are kept.
    """

    def __init__(self, run: Allowed, episode: Allowed, cost: Cost, charges: Charges) -> None:
        self._run = run
        self._episode = episode
        self._cost = cost
        self._charges = charges
        self._spent = _Account()
        self._by_episode: defaultdict[Path, _Account] = defaultdict(_Account)
        self._open: dict[Permit, _Waiting] = {}
        self._waiting: list[_Waiting] = []
        self._stopped: BudgetSpent | None = None
        """Since when nothing is reserved any more: whatever began now would be cut off with the run, and paid."""
        for charge in charges.earlier():
            self._book(charge.path, *self._worth(charge.model, charge.usage))

    @property
    def spent(self) -> tuple[Nanodollars, int]:
        """Dollars and tokens, of all starts of the run, reservations included."""
        return self._spent.nanodollars, self._spent.tokens

    async def reserve(self, charge: Charge) -> None:
        """Reserve the most that an attempt can use; waits while what others have reserved may yet return.

        Raises:
            BudgetSpent: with nothing else reserved it does not fit into what the run may spend.
            AllowanceSpent: the same for its episode.
            JournalFault: the storage failed.
        """
        waiting = _Waiting(charge, *self._worth(charge.model, charge.usage))
        self._waiting.append(waiting)
        self._look()
        try:
            await waiting.reserved
        except asyncio.CancelledError:
            if charge.permit in self._open:
                self.settle(charge.permit, Usage())
            elif waiting in self._waiting:
                self._waiting.remove(waiting)
            raise

    def settle(self, permit: Permit, usage: Usage | None) -> None:
        """Replace a reservation by what was used; one that is not open changes nothing.

        Args:
            permit: whose.
            usage: None: unknown, and charged in full.

        Raises:
            JournalFault: the storage failed; the reservation stays open in the journal, so a resume charges it in full.
        """
        held = self._open.pop(permit, None)
        if held is None:
            return
        charge = held.charge
        used = charge.usage if usage is None else usage
        self._book(charge.path, -held.nanodollars, -held.tokens, -1)
        self._book(charge.path, *self._worth(charge.model, used))
        self._look()
        self._charges.settle(permit, used)

    def _worth(self, model: str, usage: Usage) -> tuple[int, int]:
        return self._cost(model, usage), usage.prompt_tokens + usage.completion_tokens

    def _book(self, path: Path, nanodollars: int, tokens: int, reservations: int = 0) -> None:
        self._spent.add(nanodollars, tokens, reservations)
        if not self._episode.unlimited:
            self._by_episode[episode_of(path)].add(nanodollars, tokens, reservations)

    def _look(self) -> None:
        """See who fits now, and who never will."""
        for waiting in list(self._waiting):
            refusal = self._refusal(waiting)
            if refusal == "not yet":
                continue
            self._waiting.remove(waiting)
            if waiting.reserved.done():
                continue
            if refusal is None:
                self._reserve(waiting)
            else:
                waiting.reserved.set_exception(refusal)

    def _refusal(self, waiting: _Waiting) -> Fault | Literal["not yet"] | None:
        if self._stopped is not None:
            return BudgetSpent(str(self._stopped))
        path = waiting.charge.path
        episode = episode_of(path)
        own = self._by_episode.get(episode, _Account())
        for account, allowed, whose, fault in (
            (own, self._episode, f"episode {episode}", AllowanceSpent),
            (self._spent, self._run, "the run", BudgetSpent),
        ):
            if not allowed.holds(account.nanodollars + waiting.nanodollars, account.tokens + waiting.tokens):
                if account.open:
                    return "not yet"
                spent = allowed.of(account.nanodollars, account.tokens)
                refusal = fault(f"{path}: expected room in the budget of {whose}, {allowed}; spent so far: {spent}")
                if isinstance(refusal, BudgetSpent):
                    self._stopped = refusal
                return refusal
        return None

    def _reserve(self, waiting: _Waiting) -> None:
        charge = waiting.charge
        try:
            self._charges.open(charge)
        except Fault as fault:
            waiting.reserved.set_exception(fault)
            return
        self._open[charge.permit] = waiting
        self._book(charge.path, waiting.nanodollars, waiting.tokens, 1)
        waiting.reserved.set_result(None)
