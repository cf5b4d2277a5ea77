"""The budget of a run and of each episode. Every call first reserves the most that it can cost."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from quintet.errors import BudgetSpent, EpisodeBudgetSpent, Fault, JournalFault
from quintet.messages.paths import LEARNER, VISITS, Path, child, episode_of, is_within, parent
from quintet.messages.quota import Charge, Charges, Permit
from quintet.ports.model import Usage
from quintet.quota.allowance import Allowance
from quintet.quota.cost import NOTHING, Cost
from quintet.quota.other_spending import NO_OTHERS, OtherSpending
from quintet.quota.prices import Nanodollars
from quintet.roles.by_episode import ByEpisode

_LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at whether others gave something back."""

CostFunction = Callable[[str, Usage], Nanodollars]
"""What a model's usage costs."""


@dataclass
class _Account:
    cost: Cost = NOTHING
    open: int = 0
    """Number of reservations."""

    def add(self, cost: Cost, reservations: int = 0) -> None:
        self.cost += cost
        self.open += reservations


@dataclass
class _Calls:
    """The calls of an episode, each counted once however often it is attempted."""

    begun: set[Path]
    """Those with an attempt in the books, in all starts."""
    reserved: int
    """Further calls of reservations: first attempts that are not in the books yet, and answers that may still come."""

    @property
    def number(self) -> int:
        return len(self.begun) + self.reserved


@dataclass(slots=True, eq=False)
class _Held:
    charge: Charge
    cost: Cost
    """The most that the attempt can use; nothing while a charge stands in the books that it is to take up."""
    reserved: "asyncio.Future[None]"
    calls: int = 0
    """How many calls of its episode it reserves."""
    takes_up: bool = False
    """Whether its charge was in the books before."""

    @property
    def episode(self) -> Path:
        return episode_of(self.charge.path)


class Budget:
    """Keeps a run and its episodes within what they may spend.

    No budget is overdrawn as long as no endpoint uses more tokens than were reserved.

    Args:
        run: limits the whole run, all its starts and shards together; an arm's, all arms of its study together.
        episode: limits every attempt at a task; a learner is not one.
        episode_calls: the most calls of every attempt at a task, all its starts together; None: no limit. Further
            attempts at a call are no further calls.
        others: what else is spent of the run's budget.

    Raises:
        JournalFault: the charges of earlier starts cannot be read.
    """

    def __init__(
        self,
        run: Allowance,
        episode: Allowance,
        cost: CostFunction,
        charges: Charges,
        *,
        episode_calls: int | None = None,
        others: OtherSpending = NO_OTHERS,
    ) -> None:
        self._run = run
        self._episode = episode
        self._episode_calls = episode_calls
        self._calls: dict[Path, _Calls] = {}
        """Of running episodes, if the number is limited."""
        self._cost = cost
        self._charges = charges
        self._others = others
        self._spent = _Account()
        """Here."""
        self._by_episode: defaultdict[Path, _Account] = defaultdict(_Account)
        self._held: dict[Permit, _Held] = {}
        self._held_of: ByEpisode[_Held] = ByEpisode()
        """The same, by episode."""
        self._episode_queues: defaultdict[Path, deque[_Held]] = defaultdict(deque)
        """Calls that wait until their episode has room again."""
        self._run_queue: deque[_Held] = deque()
        """Calls that wait until the run has room again, oldest first."""
        self._look: asyncio.TimerHandle | None = None
        """The next look at what others spend."""
        self._stopped: BudgetSpent | None = None
        self._spent_episodes: set[Path] = set()
        """Episodes whose allowance is spent. As for the run, nothing more is reserved then: a call that started would
        be cut off with the episode, and paid."""
        for spent in charges.earlier():
            earlier = Cost(prompt_tokens=spent.tokens, nanodollars=spent.nanodollars)
            self._book(spent.path, earlier, apart=spent.apart)
        self._tell()

    @property
    def spent(self) -> Cost:
        """By all starts of the run, and by others, reservations included."""
        return self._others.spent + self._spent.cost

    def _tell(self) -> None:
        self._others.tell(self._spent.cost, self._spent.open)

    def change(self, run: Allowance) -> None:
        """Go on under another budget of the run. What the one before has stopped does not begin again by itself."""
        self._run = run
        self._stopped = None
        self._retry_run()

    async def hold(self, charge: Charge) -> Charge:
        """Reserve, in memory, the most that an attempt can use. Waits while other reservations may leave room.

        Returns:
            What is reserved: the charge, or, if it is for several completions and these do not fit, the same for one.
            So a run goes on alike whether or not it knows yet that an endpoint gives one at a time.

        Raises:
            BudgetSpent: it does not fit into the run's budget, even with nothing else reserved.
            EpisodeBudgetSpent: the same for its episode.
            JournalFault: the episode's earlier calls, or what others spend, cannot be read or stored.
        """
        reserved = asyncio.get_running_loop().create_future()
        held = _Held(charge, self._most(charge), reserved)
        self._consider(held)
        try:
            await reserved
        except asyncio.CancelledError:
            self.drop(charge.permit)
            self._retry(held.episode)  # others may have waited behind it
            raise  # what still waits in a queue is skipped there: to find it would cost all that wait
        return held.charge

    def commit(self, permit: Permit) -> None:
        """Store a reservation, before its call is made; a `JournalFault` if the storage failed."""
        held = self._held[permit]
        # Another attempt at the call may have settled meanwhile, or begun.
        held.takes_up = self._charges.open(held.charge)
        most = self._cost_of(held.charge.model, held.charge.usage)
        self._book(held.charge.path, (NOTHING if held.takes_up else most) - held.cost, apart=held.charge.apart)
        held.cost = most
        calls = None if held.charge.apart else self._calls.get(held.episode)
        if calls is not None and held.charge.path not in calls.begun:
            calls.begun.add(held.charge.path)
            self._free_calls(held, 1)

    def takes_up(self, permit: Permit) -> bool:
        """Whether a reservation goes on with a charge that an earlier attempt at its call left, which was not final."""
        return permit in self._held and self._held[permit].takes_up

    def drop(self, permit: Permit) -> None:
        """Drop a reservation that was never stored. Does nothing if it is not held."""
        with suppress(JournalFault):  # it stays reserved for others until the next total is told
            self._close(permit, Usage())

    def forget(self, episode: Path) -> None:
        """Drop the calls of an episode whose incarnation ended. If it calls again, they are read from the books.

        A visit does not begin again, so what it spent is dropped too.
        """
        self._calls.pop(episode, None)
        if is_within(episode, VISITS):
            self._by_episode.pop(episode, None)
            self._episode_queues.pop(episode, None)
            self._spent_episodes.discard(episode)

    def settle(self, permit: Permit, usage: Usage | None, *, answered: bool, answers: int = 1) -> None:
        """Replace a reservation by what was used. Does nothing if it is not held.

        Args:
            usage: None: unknown, and charged in full.
            answered: whether it brought an answer.
            answers: how many, each of which is a call of its own to the limit of its episode.

        Raises:
            JournalFault: the storage failed; the reservation stays open in the journal, so a resume charges it in full.
        """
        held = self._held.get(permit)
        if held is None:
            return
        booked = most = held.charge.usage
        try:  # stored first: what a journal still reserves is not free for others
            self._charges.settle(permit, most if usage is None else usage, answered=answered)
            booked = most if usage is None else usage
        finally:
            self._close(permit, booked, answers if answered else 0)

    def _close(self, permit: Permit, used: Usage, answers: int = 0) -> None:
        held = self._held.pop(permit, None)
        if held is None:
            return
        self._held_of.discard(held.episode, held)
        self._free_calls(held, held.calls)
        charge = held.charge
        if answers > 1 and held.episode in self._calls and not charge.apart:
            above = parent(charge.path)
            self._calls[held.episode].begun.update(child(above, number) for number in range(1, answers + 1))
        self._book(charge.path, self._cost_of(charge.model, used) - held.cost, -1, apart=charge.apart)
        try:
            self._tell()
        finally:
            self._retry(held.episode)

    def _free_calls(self, held: _Held, number: int) -> None:
        """End its reservation of so many calls."""
        if held.episode in self._calls:
            self._calls[held.episode].reserved -= min(number, held.calls)
        held.calls -= min(number, held.calls)

    def _calls_of(self, episode: Path) -> _Calls:
        if episode not in self._calls:
            reserved = sum(held.calls for held in self._held_of.of(episode))
            self._calls[episode] = _Calls(set(self._charges.calls(episode)), reserved)
        return self._calls[episode]

    def _cost_of(self, model: str, usage: Usage) -> Cost:
        return Cost(0, usage.prompt_tokens, usage.completion_tokens, self._cost(model, usage))

    def _most(self, charge: Charge) -> Cost:
        """The most that an attempt adds to the books: nothing, if it takes up a charge that stands there."""
        takes_up = charge.batched and self._charges.is_lost(charge)
        return NOTHING if takes_up else self._cost_of(charge.model, charge.usage)

    def _book(self, path: Path, cost: Cost, reservations: int = 0, *, apart: bool) -> None:
        self._spent.add(cost, reservations)
        if not apart and (not self._episode.unlimited or self._episode_calls is not None):
            self._by_episode[episode_of(path)].add(cost, reservations)

    def _retry(self, episode: Path) -> None:
        """An episode has more room: reconsider its waiting calls, then those of the run."""
        for held in self._episode_queues.pop(episode, ()):
            self._consider(held)
        self._retry_run()

    def _retry_run(self) -> None:
        waiting, self._run_queue = self._run_queue, deque()
        while waiting and not self._run_queue:
            self._consider(waiting.popleft())
        waiting.extendleft(self._run_queue)  # the call that still waits, and blocks those behind it
        self._run_queue = waiting

    def _consider(self, held: _Held) -> None:
        if held.reserved.done():
            return
        try:
            obstacle = self._episode_obstacle(held)
            if obstacle is None:
                obstacle = self._run_obstacle(held)
        except JournalFault as fault:
            obstacle = fault
        if obstacle is None:
            self._held[held.charge.permit] = held
            self._held_of.add(held.episode, held)
            charge, calls = held.charge, self._calls.get(held.episode)
            if calls is not None and not charge.apart:
                held.calls = charge.answers - (charge.path in calls.begun)
                calls.reserved += held.calls
            self._book(charge.path, held.cost, 1, apart=charge.apart)
            held.reserved.set_result(None)
        elif isinstance(obstacle, Fault):
            held.reserved.set_exception(obstacle)
        else:
            obstacle.append(held)

    def _episode_obstacle(self, held: _Held) -> deque[_Held] | Fault | None:
        """Why its episode cannot afford a call, or the queue to wait in; None if it can."""
        episode = held.episode
        if episode == LEARNER or held.charge.apart:
            return None
        account = self._by_episode.get(episode, _Account())
        fits = self._episode.holds(account.cost + held.cost)
        has_call = self._has_call(held)
        if fits and has_call and episode not in self._spent_episodes:
            return None
        if account.open and episode not in self._spent_episodes:
            return self._episode_queues[episode]
        if self._reduce_to_one(held):
            return self._episode_obstacle(held)
        self._spent_episodes.add(episode)
        if has_call:
            return EpisodeBudgetSpent(_refusal(held, f"episode {episode}", self._episode, account))
        limit = f"at most {self._episode_calls} calls in episode {episode}"
        return EpisodeBudgetSpent(f"{held.charge.path}: expected {limit}, got one more")

    def _has_call(self, held: _Held) -> bool:
        """Whether its episode may make this call, or as many as it may bring answers."""
        if self._episode_calls is None:
            return True
        calls = self._calls_of(held.episode)
        new = held.charge.answers - (held.charge.path in calls.begun)
        return not new or calls.number + new <= self._episode_calls

    def _run_obstacle(self, held: _Held) -> deque[_Held] | Fault | None:
        """The same for the run."""
        account = self._spent
        if self._stopped is not None:
            return BudgetSpent(str(self._stopped))
        if self._run_queue:
            return self._run_queue
        if self._others.claim(account.cost + held.cost, account.open + 1, self._run):
            return None
        shrinks = self._others.may_shrink
        if shrinks:
            self._look_again()
        if shrinks or account.open:
            return self._run_queue
        if self._reduce_to_one(held):
            return self._run_obstacle(held)
        self._stopped = BudgetSpent(_refusal(held, self._others.whose, self._run, replace(account, cost=self.spent)))
        return self._stopped

    def _reduce_to_one(self, held: _Held) -> bool:
        """Ask for one completion from now on, if it was for several."""
        if held.charge.answers == 1:
            return False
        held.charge = held.charge.for_one()
        held.cost = self._most(held.charge)
        return True

    def _look_again(self) -> None:
        if self._look is not None:
            self._look.cancel()
        self._look = asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._retry_run)


def _refusal(held: _Held, whose: str, allowance: Allowance, account: _Account) -> str:
    spent, most = (allowance.limited_part(each.cost) for each in (account, held))
    so_far = f"spent so far: {spent}; the next call may take {most}"
    return f"{held.charge.path}: expected room in the budget of {whose}, {allowance}; {so_far}"
