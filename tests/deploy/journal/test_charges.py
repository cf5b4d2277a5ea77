"""Charges: stored beside the events, and reconciled with them at a resume."""

from contextlib import closing
from decimal import Decimal
from pathlib import Path as FilePath

from quintet.events import CallMade, Record
from quintet.journal.charges import RECONCILE, UNCHARGED
from quintet.journal.schema import CREATE, connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, episode_path
from quintet.messages.prompts import Prompt, user
from quintet.messages.quota import Charge
from quintet.ports.model import Completion, Sampling, Usage
from quintet.quota.prices import Price
from tests.simulation.virtual import run

EPISODE = episode_path("task", 0, 0)
MOST = Usage(prompt_tokens=1000, completion_tokens=500)
PRICE = Price(input=Decimal("0.12345"), cached_input=Decimal("0.01"), output=Decimal("0.4321"))
"""No call below costs a whole number of nanodollars, so each is rounded up."""
USED = Usage(prompt_tokens=200, cached_tokens=100, completion_tokens=50, reasoning_tokens=10)


def charge(number: int) -> Charge:
    return Charge(permit=f"host/{number}", path=Path(f"{EPISODE}/{number}"), model="model", usage=MOST)


async def call(journal: SqliteJournal, number: int, usage: Usage = USED) -> None:
    prompt = Prompt(user("Act."))
    completion = Completion(text="", usage=usage)
    event = CallMade(
        path=Path(f"{EPISODE}/{number}"),
        model="model",
        prompt=prompt.node.address,
        sampling=Sampling(),
        completion=completion,
    )
    await journal.append([Record(event=event, incarnation=1, prompts=prompt.nodes_since(()))])


def spent(file: FilePath) -> dict[Path, tuple[int, int]]:
    """The nanodollars and tokens that a resume reads, by episode."""
    journal = SqliteJournal(file, prices={"model": PRICE})
    found: dict[Path, tuple[int, int]] = {}
    for each in journal.charges.earlier():
        nanodollars, tokens = found.get(each.path, (0, 0))
        found[each.path] = nanodollars + each.nanodollars, tokens + each.tokens
    journal.close()
    return found


def total(*usages: Usage) -> tuple[int, int]:
    """What calls cost one by one, and their tokens."""
    costs = sum(PRICE.cost(usage) for usage in usages)
    return costs, sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)


def test_a_settled_charge_is_what_was_used_and_an_open_one_is_its_reservation(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    journal.charges.open(charge(1))
    journal.charges.open(charge(2))
    journal.charges.settle("host/1", USED, answered=True)
    journal.charges.settle("host/1", MOST, answered=True)
    journal.close()
    assert spent(file) == {EPISODE: total(USED, MOST)}


def test_an_open_charge_whose_call_was_committed_is_what_the_call_used(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    for number in (
        1,
        1,
        2,
    ):  # the first attempt at call 1 was cut off, the second answered; the answer to call 2 has no usage
        journal.charges.open(charge(number))
    run(call(journal, 1))
    run(call(journal, 2, Usage()))
    journal.close()
    assert spent(file) == {EPISODE: total(MOST, USED, MOST)}


def test_calls_made_without_a_budget_count_once_there_is_one(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(call(journal, 1))
    journal.close()
    assert spent(file) == {EPISODE: total(USED)}


def test_permits_of_another_start_have_the_same_names_and_other_charges(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    for usage in (USED, Usage(prompt_tokens=7)):
        journal = SqliteJournal(file)
        journal.begin(EPISODE)
        journal.charges.open(charge(1))
        journal.charges.settle("host/1", usage, answered=True)
        journal.close()
    assert spent(file) == {EPISODE: total(USED, Usage(prompt_tokens=7))}


def test_calls_of_one_path_in_many_episodes_are_not_compared_with_each_other() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        for query in (RECONCILE, UNCHARGED):
            plan = [step for *_, step in journal.execute(f"EXPLAIN QUERY PLAN {query}")]
            assert not [step for step in plan if "AUTOMATIC" in step], plan


def test_calls_of_one_path_in_two_episodes_have_charges_of_their_own(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    other = episode_path("another", 0, 0)
    for episode in (EPISODE, other):
        journal.begin(episode)
    journal.charges.open(Charge(permit="host/1", path=Path(f"{other}/1"), model="model", usage=MOST))
    run(call(journal, 1))
    journal.close()
    assert spent(file) == {EPISODE: total(USED), other: total(MOST)}
