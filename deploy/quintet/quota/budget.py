"""Budget: what a run and each of its episodes may spend, held by reserving the most that every call can cost."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from quintet.errors import BudgetSpent, EpisodeBudgetSpent, Fault
from quintet.messages.paths import LEARNER, Path, episode_of
from quintet.messages.quota import Charge, Charges, Permit
from quintet.ports.model import Usage
from quintet.quota.prices import NANODOLLARS, Nanodollars

Cost = Callable[[str, Usage], Nanodollars]
"""What usage of a model costs."""


@dataclass(frozen=True)
class Allowance:
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

    def of(self, nanodollars: int, tokens: int) -> "Allowance":
        """Of what was spent, the part that is limited."""
        return Allowance(
            None if self.nanodollars is None else nanodollars,
            None if self.tokens is None else tokens,
        )

    def __str__(self) -> str:
        parts = [] if self.nanodollars is None else [f"{self.nanodollars / NANODOLLARS:.6g} USD"]
        return " and ".join(parts if self.tokens is None else [*parts, f"{self.tokens:,} tokens"])


@dataclass
class _Account:
    """What was spent and reserved."""

    nanodollars: Nanodollars = 0
    tokens: int = 0
    open: int = 0
    """Reservations."""

    def add(self, nanodollars: Nanodollars, tokens: int, reservations: int = 0) -> None:
        self.nanodollars += nanodollars
        self.tokens += tokens
        self.open += reservations


@dataclass(frozen=True, eq=False)
class _Held:
    charge: Charge
    nanodollars: Nanodollars
    tokens: int
    reserved: "asyncio.Future[None]"

    @property
    def episode(self) -> Path:
        return episode_of(self.charge.path)


class Budget:
    """Holds a run and its episodes to what they may spend.

    Nothing is ever overdrawn, as long as no endpoint uses more tokens than the bounds that were reserved.

    Args:
        run: what the whole run may spend, all its starts together.
        episode: what every attempt at a task may spend; a learner is no such attempt.
        cost: the price of usage.
        charges: where they are kept.

    Raises:
        JournalFault: what earlier starts spent cannot be read.
    """

    def __init__(self, run: Allowance, episode: Allowance, cost: Cost, charges: Charges) -> None:
        self._run = run
        self._episode = episode
        self._cost = cost
        self._charges = charges
        self._spent = _Account()
        self._by_episode: defaultdict[Path, _Account] = defaultdict(_Account)
        self._held: dict[Permit, _Held] = {}
        self._of_episode: defaultdict[Path, deque[_Held]] = defaultdict(deque)
        """Calls that wait for what their own episode may get back."""
        self._of_run: deque[_Held] = deque()
        """Calls that wait for what the run may get back; who came first goes first."""
        self._stopped: BudgetSpent | None = None
        self._over: set[Path] = set()
        """Episodes whose allowance is spent. From then on, as for the run, nothing is reserved any more: whatever began
        would be cut off with it, and paid."""
        for charge in charges.earlier():
            self._book(charge.path, *self._worth(charge.model, charge.usage))

    @property
    def spent(self) -> tuple[Nanodollars, int]:
        """Dollars and tokens, of all starts of the run, reservations included."""
        return self._spent.nanodollars, self._spent.tokens

    async def hold(self, charge: Charge) -> None:
        """Reserve, in memory, the most that an attempt can use; waits while what others reserved may yet return.

        Raises:
            BudgetSpent: with nothing else reserved it does not fit into what the run may spend.
            EpisodeBudgetSpent: the same for its episode.
        """
        reserved = asyncio.get_running_loop().create_future()
        held = _Held(charge, *self._worth(charge.model, charge.usage), reserved)
        self._consider(held)
        try:
            await reserved
        except asyncio.CancelledError:
            self.drop(charge.permit)
            for queue in (self._of_run, self._of_episode[held.episode]):
                with suppress(ValueError):
                    queue.remove(held)
            self._look(held.episode)  # it may have kept others
            raise

    def commit(self, permit: Permit) -> None:
        """Write a reservation down, before its call is made.

        Raises:
            JournalFault: the storage failed.
        """
        self._charges.open(self._held[permit].charge)

    def drop(self, permit: Permit) -> None:
        """Forget a reservation that was never written down; one that is not held changes nothing."""
        self._close(permit, Usage())

    def settle(self, permit: Permit, usage: Usage | None, *, answered: bool) -> None:
        """Replace a reservation by what was used; one that is not held changes nothing.

        Args:
            permit: whose.
            usage: None: unknown, and charged in full.
            answered: whether it brought an answer.

        Raises:
            JournalFault: the storage failed; the reservation stays open in the journal, so a resume charges it in full.
        """
        used = self._close(permit, usage)
        if used is not None:
            self._charges.settle(permit, used, answered=answered)

    def _close(self, permit: Permit, usage: Usage | None) -> Usage | None:
        held = self._held.pop(permit, None)
        if held is None:
            return None
        charge = held.charge
        used = charge.usage if usage is None else usage
        self._book(charge.path, -held.nanodollars, -held.tokens, -1)
        self._book(charge.path, *self._worth(charge.model, used))
        self._look(held.episode)
        return used

    def _worth(self, model: str, usage: Usage) -> tuple[Nanodollars, int]:
        return self._cost(model, usage), usage.prompt_tokens + usage.completion_tokens

    def _book(self, path: Path, nanodollars: Nanodollars, tokens: int, reservations: int = 0) -> None:
        self._spent.add(nanodollars, tokens, reservations)
        if not self._episode.unlimited:
            self._by_episode[episode_of(path)].add(nanodollars, tokens, reservations)

    def _look(self, episode: Path) -> None:
        """Something came back to an episode: see who of it fits now, and then who of the run."""
        for held in self._of_episode.pop(episode, ()):
            self._consider(held)
        waiting, self._of_run = self._of_run, deque()
        while waiting:
            self._consider(waiting.popleft())
            if self._of_run:  # the first that has to wait on keeps those behind it
                self._of_run.extend(waiting)
                return

    def _consider(self, held: _Held) -> None:
        """Reserve, refuse, or let it wait."""
        if held.reserved.done():
            return
        obstacle = self._of_its_episode(held)
        if obstacle is None:
            obstacle = self._of_its_run(held)
        if obstacle is None:
            self._held[held.charge.permit] = held
            self._book(held.charge.path, held.nanodollars, held.tokens, 1)
            held.reserved.set_result(None)
        elif isinstance(obstacle, Fault):
            held.reserved.set_exception(obstacle)
        else:
            obstacle.append(held)

    def _of_its_episode(self, held: _Held) -> deque[_Held] | Fault | None:
        """Why its episode cannot afford it, or where to wait until it can."""
        episode = held.episode
        if episode == LEARNER:
            return None
        account = self._by_episode.get(episode, _Account())
        fits = self._episode.holds(account.nanodollars + held.nanodollars, account.tokens + held.tokens)
        if fits and episode not in self._over:
            return None
        if account.open and episode not in self._over:
            return self._of_episode[episode]
        self._over.add(episode)
        return EpisodeBudgetSpent(_refusal(held, f"episode {episode}", self._episode, account))

    def _of_its_run(self, held: _Held) -> deque[_Held] | Fault | None:
        """The same of the run."""
        account = self._spent
        fits = self._run.holds(account.nanodollars + held.nanodollars, account.tokens + held.tokens)
        if self._stopped is not None:
            return BudgetSpent(str(self._stopped))
        if self._of_run or (not fits and account.open):
            return self._of_run
        if fits:
            return None
        self._stopped = BudgetSpent(_refusal(held, "the run", self._run, account))
        return self._stopped


def _refusal(held: _Held, whose: str, allowed: Allowance, account: _Account) -> str:
    spent, most = (allowed.of(each.nanodollars, each.tokens) for each in (account, held))
    so_far = f"spent so far: {spent}; the next call may take {most}"
    return f"{held.charge.path}: expected room in the budget of {whose}, {allowed}; {so_far}"
