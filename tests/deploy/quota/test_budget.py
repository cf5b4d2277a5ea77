"""Budget: nothing is overdrawn, nothing that fits is refused, and what a kill leaves open is charged in full."""

import asyncio
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import BudgetSpent, EpisodeBudgetSpent, JournalFault
from quintet.messages.paths import LEARNER, Path, child, episode_of, episode_path
from quintet.messages.quota import Charge, Permit, Spent
from quintet.ports.model import Usage
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.cost import NOTHING, Cost
from quintet.quota.other_spending import SettledSpending
from tests.simulation.virtual import run

NO_LIMIT = Allowance()


def cost(model: str, usage: Usage) -> int:
    """A nano-dollar a token of the prompt, ten of the completion."""
    return usage.prompt_tokens + 10 * usage.completion_tokens


class Ledger:
    """Charges in memory."""

    def __init__(self, earlier: Iterable[Spent] = ()) -> None:
        self._earlier = list(earlier)
        self.charges: dict[Permit, Charge] = {}
        self.open_permits: set[Permit] = set()
        self.lost: set[Permit] = set()
        self.full = False

    def is_lost(self, charge: Charge) -> bool:
        return self._lost_before(charge) is not None

    def _lost_before(self, charge: Charge) -> Permit | None:
        return next((each for each in self.lost if replace(self.charges[each], permit=charge.permit) == charge), None)

    def open(self, charge: Charge) -> bool:
        if self.full:
            raise JournalFault("journal: disk full")
        lost = self._lost_before(charge) if charge.batched else None
        if lost is not None:
            self.lost.discard(lost)
            del self.charges[lost]
        self.charges[charge.permit] = charge
        self.open_permits.add(charge.permit)
        return lost is not None

    def settle(self, permit: Permit, usage: Usage, *, answered: bool) -> None:
        self.open_permits.remove(permit)
        self.charges[permit] = replace(self.charges[permit], usage=usage)
        if not answered:
            self.lost.add(permit)

    def earlier(self) -> Iterable[Spent]:
        return self._earlier

    def calls(self, episode: Path) -> Iterable[Path]:
        own = (charge for charge in self.charges.values() if episode_of(charge.path) == episode)
        return [charge.path for charge in own if not charge.apart]

    @property
    def spent(self) -> int:
        return sum(cost(charge.model, charge.usage) for charge in self.charges.values())


async def reserve(budget: Budget, charge: Charge) -> None:
    """As the quota does it, without a limiter in between."""
    await budget.hold(charge)
    try:
        budget.commit(charge.permit)
    except JournalFault:
        budget.drop(charge.permit)
        raise


def charge(number: int, tokens: int, episode: int = 0) -> Charge:
    path = child(episode_path(f"task {episode}", 0, 0), number)
    return Charge(permit=f"host/{number}", path=path, model="model", usage=Usage(prompt_tokens=tokens))


def spent(number: int, tokens: int) -> Spent:
    return Spent(path=episode_path(f"task {number}", 0, 0), nanodollars=0, tokens=tokens)


async def test_a_call_that_does_not_fit_waits_for_open_reservations() -> None:
    budget = Budget(Allowance(tokens=100), NO_LIMIT, cost, Ledger())
    await reserve(budget, charge(1, 80))
    second = asyncio.create_task(reserve(budget, charge(2, 60)))
    await asyncio.sleep(1)
    assert not second.done()
    budget.settle("host/1", Usage(prompt_tokens=40), answered=True)
    await second
    assert budget.spent == Cost(prompt_tokens=100, nanodollars=100)


async def test_a_call_by_batches_that_is_asked_for_again_takes_up_its_charge() -> None:
    ledger = Ledger()
    budget = Budget(Allowance(tokens=100), Allowance(tokens=100), cost, ledger)
    first, again = (replace(charge(number, 80), path=charge(1, 80).path, batched=True) for number in (1, 2))
    await reserve(budget, first)
    budget.settle("host/1", None, answered=False)
    await reserve(budget, charge(3, 20))
    ledger.full = True
    with pytest.raises(JournalFault):
        await reserve(budget, again)
    assert budget.spent.tokens == 100
    ledger.full = False
    await reserve(budget, again)
    assert (budget.spent.tokens, ledger.spent) == (100, 100), "it fits, since it is one call"
    budget.settle("host/2", Usage(prompt_tokens=30), answered=True)
    assert (budget.spent.tokens, ledger.spent) == (50, 50)


async def test_attempts_at_a_call_by_batches_that_cross_each_other_are_counted_as_in_the_books() -> None:
    budget = Budget(NO_LIMIT, NO_LIMIT, cost, ledger := Ledger())
    first, second, third, fourth = (
        replace(charge(number, 80), path=charge(1, 80).path, batched=True) for number in range(1, 5)
    )
    await reserve(budget, first)
    await budget.hold(second)
    budget.settle(first.permit, None, answered=False)
    budget.commit(second.permit)
    assert (budget.spent.tokens, ledger.spent) == (80, 80)
    budget.settle(second.permit, None, answered=False)
    for each in (third, fourth):
        await budget.hold(each)
    for each in (third, fourth):
        budget.commit(each.permit)
    assert (budget.spent.tokens, ledger.spent) == (160, 160), "two at once are two"
    for each in (third, fourth):
        budget.settle(each.permit, Usage(prompt_tokens=30), answered=True)
    assert (budget.spent.tokens, ledger.spent) == (60, 60)


async def test_a_call_by_batches_that_had_room_for_one_answer_takes_up_the_charge_of_one() -> None:
    budget = Budget(Allowance(tokens=150), NO_LIMIT, cost, ledger := Ledger())
    usage = Usage(prompt_tokens=100, completion_tokens=90)
    three = replace(charge(1, 100), usage=usage, answers=3, batched=True)
    for permit in ("host/1", "host/2"):
        assert (await budget.hold(replace(three, permit=permit))).answers == 1
        budget.commit(permit)
        budget.settle(permit, None, answered=False)
        assert (budget.spent.tokens, ledger.spent) == (130, 100 + 10 * 30)


async def test_an_attempt_that_was_lost_at_another_size_or_without_a_batch_is_charged_beside() -> None:
    budget = Budget(NO_LIMIT, NO_LIMIT, cost, Ledger())
    for number, tokens, batched in ((1, 80, True), (2, 70, True), (3, 60, False), (4, 60, False)):
        await reserve(budget, replace(charge(number, tokens), path=charge(1, 0).path, batched=batched))
        budget.settle(f"host/{number}", None, answered=False)
    assert budget.spent.tokens == 80 + 70 + 60 + 60


async def test_with_nothing_else_open_it_is_refused_and_says_how_much_is_spent() -> None:
    budget = Budget(Allowance(nanodollars=90), NO_LIMIT, cost, Ledger())
    await reserve(budget, charge(1, 80))
    second = asyncio.create_task(reserve(budget, charge(2, 60)))
    await asyncio.sleep(1)
    budget.settle("host/1", None, answered=True)
    with pytest.raises(BudgetSpent, match="of the run, 9e-08 USD; spent so far: 8e-08 USD"):
        await second
    with pytest.raises(BudgetSpent):  # the run stops: a call that would fit is not begun any more
        await reserve(budget, charge(3, 1))
    budget.change(Allowance(nanodollars=150))  # what is asked from now on is held against the new one
    await reserve(budget, charge(4, 60))
    budget.settle("host/4", None, answered=True)
    with pytest.raises(BudgetSpent, match=r"of the run, 1\.5e-07 USD"):
        await reserve(budget, charge(5, 60))


async def test_an_episode_that_was_refused_reserves_nothing_more_and_no_other_waits_for_it() -> None:
    budget = Budget(NO_LIMIT, Allowance(tokens=100), cost, Ledger())
    await reserve(budget, charge(1, 80, episode=1))
    waits = asyncio.create_task(reserve(budget, charge(2, 60, episode=1)))
    await reserve(budget, charge(3, 100, episode=2))
    await asyncio.sleep(1)
    assert not waits.done()
    budget.settle("host/1", None, answered=True)
    with pytest.raises(EpisodeBudgetSpent, match="of episode task 1/0/0, 100 tokens; spent so far: 80 tokens"):
        await waits
    with pytest.raises(EpisodeBudgetSpent):
        await reserve(budget, charge(4, 1, episode=1))
    await reserve(budget, charge(5, 90, episode=3))


async def test_what_earlier_starts_spent_counts() -> None:
    budget = Budget(Allowance(tokens=100), NO_LIMIT, cost, Ledger([spent(1, 70), spent(2, 20)]))
    await reserve(budget, charge(1, 10))
    budget.settle("host/1", Usage(), answered=True)
    with pytest.raises(BudgetSpent, match="spent so far: 90 tokens"):
        await reserve(budget, charge(1, 11))


async def test_a_reservation_that_cannot_be_committed_is_dropped() -> None:
    ledger = Ledger()
    ledger.full = True
    budget = Budget(Allowance(tokens=100), NO_LIMIT, cost, ledger)
    with pytest.raises(JournalFault):
        await reserve(budget, charge(1, 10))
    assert budget.spent == NOTHING


async def test_a_call_that_stops_waiting_holds_nothing() -> None:
    budget = Budget(Allowance(tokens=100), NO_LIMIT, cost, ledger := Ledger())
    await reserve(budget, charge(1, 100))
    waiting = [asyncio.create_task(reserve(budget, charge(number, 100))) for number in (2, 3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    budget.settle("host/1", Usage(), answered=True)
    waiting[1].cancel()  # in the moment of its reservation
    await asyncio.wait(waiting)
    assert budget.spent == NOTHING
    assert ledger.open_permits == set()


@settings(max_examples=100, deadline=None)
@given(
    limit=st.integers(1, 5000),
    calls=st.lists(st.tuples(st.integers(1, 900), st.integers(0, 100), st.integers(0, 3)), min_size=1, max_size=60),
    seed=st.integers(0, 1000),
)
def test_in_any_order_of_calls_nothing_is_overdrawn_and_no_call_waits_for_ever(
    limit: int, calls: list[tuple[int, int, int]], seed: int
) -> None:
    random = Random(seed)
    ledger = Ledger()

    async def call(budget: Budget, number: int, most: int, percent: int, episode: int) -> None:
        try:
            await reserve(budget, charge(number, most, episode))
        except (BudgetSpent, EpisodeBudgetSpent):
            return
        assert budget.spent.tokens <= limit
        await asyncio.sleep(random.random())
        budget.settle(f"host/{number}", Usage(prompt_tokens=most * percent // 100), answered=True)

    async def scene() -> Budget:
        budget = Budget(Allowance(tokens=limit), Allowance(tokens=1 + limit // 2), cost, ledger)
        async with asyncio.timeout(10_000), asyncio.TaskGroup() as group:
            for number, (most, percent, episode) in enumerate(calls):
                group.create_task(call(budget, number, most, percent, episode))
        return budget

    budget = run(scene())
    assert budget.spent.tokens == sum(charge.usage.prompt_tokens for charge in ledger.charges.values()) <= limit
    assert ledger.open_permits == set()


async def test_if_both_budgets_are_full_the_episodes_is_named_and_the_run_goes_on() -> None:
    budget = Budget(Allowance(tokens=100), Allowance(tokens=50), cost, Ledger())
    with pytest.raises(EpisodeBudgetSpent):
        await reserve(budget, charge(1, 200, episode=1))
    await reserve(budget, charge(2, 50, episode=2))


async def test_a_waiting_call_that_is_cancelled_does_not_block_those_behind_it() -> None:
    budget = Budget(Allowance(tokens=100), NO_LIMIT, cost, Ledger())
    await reserve(budget, charge(1, 50))
    large = asyncio.create_task(reserve(budget, charge(2, 100)))
    small = asyncio.create_task(reserve(budget, charge(3, 50)))
    await asyncio.sleep(1)
    assert not small.done(), "who came first goes first"
    large.cancel()
    await small
    assert budget.spent.tokens == 100


async def test_three_thousand_waiters_are_looked_through_once_and_not_for_each_other() -> None:
    looks = 0

    class Counted(Allowance):
        def holds(self, cost: Cost) -> bool:
            nonlocal looks
            looks += 1
            return super().holds(cost)

    budget = Budget(Counted(tokens=3000), NO_LIMIT, cost, Ledger())
    await reserve(budget, charge(0, 3000))
    waiting = [asyncio.create_task(reserve(budget, charge(number, 1))) for number in range(1, 3001)]
    await asyncio.sleep(1)
    budget.settle("host/0", Usage(), answered=False)
    await asyncio.wait(waiting)
    assert looks < 20_000


# A limit of calls


def limited(most: int, ledger: Ledger | None = None) -> Budget:
    return Budget(NO_LIMIT, NO_LIMIT, cost, ledger or Ledger(), episode_calls=most)


def attempt(number: int, call: int, episode: int = 1) -> Charge:
    """The `number`-th attempt of all, at this call."""
    path = child(episode_path(f"task {episode}", 0, 0), call)
    return Charge(permit=f"host/{number}", path=path, model="model", usage=Usage(prompt_tokens=10))


async def test_a_call_beyond_the_limit_waits_for_those_in_flight_and_is_refused() -> None:
    budget = limited(2, ledger := Ledger())
    await reserve(budget, attempt(1, 1))
    await reserve(budget, attempt(2, 2))
    third = asyncio.create_task(reserve(budget, attempt(3, 3)))
    await reserve(budget, attempt(4, 1, episode=2))
    await asyncio.sleep(1)
    budget.settle("host/1", None, answered=True)
    await asyncio.sleep(1)
    assert not third.done(), "a refusal ends the episode, and the call in flight would be paid for nothing"
    budget.settle("host/2", None, answered=True)
    with pytest.raises(EpisodeBudgetSpent, match="expected at most 2 calls in episode task 1/0/0, got one"):
        await third
    assert "host/3" not in ledger.charges


async def test_every_answer_that_a_request_may_bring_counts_as_a_call_of_its_episode() -> None:
    above = child(episode_path("task 1", 0, 0), 9)

    def joint(number: int, answers: int) -> Charge:
        return Charge(permit=f"host/{number}", path=child(above, 1), model="model", usage=Usage(), answers=answers)

    budget = limited(4)
    await reserve(budget, joint(1, 3))
    budget.settle("host/1", None, answered=False)
    await reserve(budget, joint(2, 3))  # attempted again
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await reserve(budget, Charge(permit="both", path=child(above, 4), model="model", usage=Usage(), answers=2))
    budget.settle("host/2", None, answered=True, answers=2)
    await reserve(budget, attempt(3, 1))
    await reserve(budget, attempt(4, 2))
    budget.settle("host/3", None, answered=True)
    budget.settle("host/4", None, answered=True)
    with pytest.raises(EpisodeBudgetSpent, match="expected at most 4 calls"):
        await reserve(budget, attempt(5, 3))


@pytest.mark.parametrize(
    ("run", "episode", "calls"),
    [
        (Allowance(tokens=150), NO_LIMIT, None),
        (NO_LIMIT, Allowance(tokens=150), None),
        (NO_LIMIT, NO_LIMIT, 1),
    ],
)
async def test_where_several_answers_do_not_fit_there_is_room_for_one(
    run: Allowance, episode: Allowance, calls: int | None
) -> None:
    """A process that does not know yet that an endpoint draws one at a time stops no run that another would go on."""
    ledger = Ledger()
    budget = Budget(run, episode, cost, ledger, episode_calls=calls)
    three = replace(charge(1, 100), usage=Usage(prompt_tokens=100, completion_tokens=90), answers=3)
    one = replace(three, usage=Usage(prompt_tokens=100, completion_tokens=30), answers=1)
    assert await budget.hold(three) == one
    budget.commit(three.permit)
    assert ledger.charges[three.permit] == one
    budget.settle(three.permit, None, answered=True)
    with pytest.raises((BudgetSpent, EpisodeBudgetSpent)):
        await budget.hold(replace(three, permit="host/2", path=child(episode_path("task 0", 0, 0), 2)))


async def test_calls_that_cannot_be_read_are_the_storage_s_fault() -> None:
    class Unreadable(Ledger):
        def calls(self, episode: Path) -> Iterable[Path]:
            raise JournalFault("journal: disk error")

    with pytest.raises(JournalFault, match="disk error"):
        await reserve(limited(1, Unreadable()), attempt(1, 1))


async def test_a_learner_s_calls_have_no_limit() -> None:
    budget = limited(1)
    for number in range(3):
        path = child(LEARNER, number)
        await reserve(budget, Charge(permit=f"{number}", path=path, model="model", usage=Usage()))


@settings(max_examples=100, deadline=None)
@given(
    limit=st.integers(1, 12),
    calls=st.lists(st.tuples(st.integers(1, 20), st.integers(0, 2)), min_size=1, max_size=60),
    seed=st.integers(0, 1000),
)
def test_in_any_order_of_attempts_over_any_starts_no_episode_has_more_calls(
    limit: int, calls: list[tuple[int, int]], seed: int
) -> None:
    """Some callers give up before their call begins, an episode may be forgotten at any time, and runs are resumed."""
    random = Random(seed)
    ledger = Ledger()

    def made(episode: int) -> set[Path]:
        return {each.path for each in ledger.charges.values() if each.path.startswith(f"task {episode}/")}

    async def make(budget: Budget, number: int, call: int, episode: int) -> None:
        wanted = attempt(number, call, episode)
        await budget.hold(wanted)
        await asyncio.sleep(random.random())  # a limiter
        if random.random() < 0.2:
            budget.drop(wanted.permit)
            return
        budget.commit(wanted.permit)
        assert len(made(episode)) <= limit
        if random.random() < 0.1:
            budget.forget(episode_path(f"task {episode}", 0, 0))
        await asyncio.sleep(random.random())
        budget.settle(wanted.permit, None, answered=True)

    async def start(parts: list[tuple[int, tuple[int, int]]]) -> None:
        budget = limited(limit, ledger)
        async with asyncio.timeout(10_000):
            results = await asyncio.gather(
                *(make(budget, number, call, episode) for number, (call, episode) in parts), return_exceptions=True
            )
        refused = {parts[place][1][1] for place, result in enumerate(results) if isinstance(result, EpisodeBudgetSpent)}
        assert {type(result) for result in results} <= {type(None), EpisodeBudgetSpent}
        for episode in refused:
            assert len(made(episode)) == limit, "refused before the limit was reached"

    numbered = list(enumerate(calls))
    for parts in (numbered[::2], numbered[1::2]):
        run(start(parts))


async def test_what_is_apart_counts_for_the_run_and_not_for_its_episode() -> None:
    ledger = Ledger([replace(spent(0, 70), apart=True), spent(0, 20)])
    budget = Budget(Allowance(tokens=200), Allowance(tokens=50), cost, ledger, episode_calls=1)

    await reserve(budget, replace(charge(1, 60), apart=True))
    await reserve(budget, charge(2, 30))
    budget.settle("host/2", None, answered=True)
    with pytest.raises(EpisodeBudgetSpent):
        await reserve(budget, charge(3, 1))
    await reserve(budget, replace(charge(4, 20), apart=True))
    assert budget.spent.tokens == 200


async def test_what_other_arms_have_spent_counts_and_the_study_is_named() -> None:
    others = SettledSpending("the study", Cost(prompt_tokens=60, nanodollars=60))
    budget = Budget(Allowance(tokens=100), NO_LIMIT, cost, Ledger(), others=others)
    await reserve(budget, charge(1, 40))
    budget.settle("host/1", None, answered=True)
    with pytest.raises(BudgetSpent, match=r"the budget of the study, 100 tokens; spent so far: 100 tokens"):
        await reserve(budget, charge(2, 1))
