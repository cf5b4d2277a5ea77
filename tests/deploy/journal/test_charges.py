"""Charges: stored beside the events, and reconciled with them at a resume."""

from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from pathlib import Path as FilePath
from typing import TypeAlias

import pytest

from quintet.journal.charges import RECONCILE, UNCHARGED
from quintet.journal.schema import CREATE, connect
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, child, episode_path
from quintet.messages.quota import Charge
from quintet.ports.model import Usage
from quintet.quota.prices import Price
from tests.deploy.journal.records import EPISODE, call
from tests.simulation.virtual import run

OTHER = episode_path("another", 0, 0)
MOST = Usage(prompt_tokens=1000, completion_tokens=500)
PRICE = Price(input=Decimal("0.12345"), cached_input=Decimal("0.01"), output=Decimal("0.4321"))
"""No call below costs a whole number of nanodollars, so each is rounded up."""
USED = Usage(prompt_tokens=200, cached_tokens=100, completion_tokens=50, reasoning_tokens=10)


Deed: TypeAlias = Callable[[SqliteJournal], object]


def opened(number: int, episode: Path = EPISODE) -> Deed:
    charge = Charge(permit=f"host/{number}", path=child(episode, number), model="m", usage=MOST)
    return lambda journal: journal.charges.open(charge)


def settled(number: int, usage: Usage) -> Deed:
    return lambda journal: journal.charges.settle(f"host/{number}", usage, answered=True)


def called(number: int, usage: Usage = USED) -> Deed:
    return lambda journal: run(journal.append([call(number, usage=usage)]))


def spent(file: FilePath) -> dict[Path, tuple[int, int]]:
    """The nanodollars and tokens that a resume reads, by episode."""
    journal = SqliteJournal(file, prices={"m": PRICE})
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


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        pytest.param(
            [[opened(1), opened(2), settled(1, USED), settled(1, MOST)]],
            {EPISODE: total(USED, MOST)},
            id="a-settled-charge-is-what-was-used-and-an-open-one-is-its-reservation",
        ),
        pytest.param(
            [[opened(1), opened(1), opened(2), called(1), called(2, Usage())]],
            {EPISODE: total(MOST, USED, MOST)},
            id="of-an-open-charge-whose-call-was-committed-it-is-what-the-call-used-unless-it-has-no-usage",
        ),
        pytest.param([[called(1)]], {EPISODE: total(USED)}, id="calls-made-without-a-budget-count-once-there-is-one"),
        pytest.param(
            [[opened(1), settled(1, usage)] for usage in (USED, Usage(prompt_tokens=7))],
            {EPISODE: total(USED, Usage(prompt_tokens=7))},
            id="permits-of-another-start-have-the-same-names-and-other-charges",
        ),
        pytest.param(
            [[opened(1, OTHER), called(1)]],
            {EPISODE: total(USED), OTHER: total(MOST)},
            id="calls-of-one-path-in-two-episodes-have-charges-of-their-own",
        ),
    ],
)
def test_what_a_resume_reads(
    starts: list[list[Deed]], expected: dict[Path, tuple[int, int]], tmp_path: FilePath
) -> None:
    file = tmp_path / "journal.sqlite"
    SqliteJournal(file).close()
    for number, deeds in enumerate(starts, 1):
        with closing(SqliteJournal(file)) as journal:
            assert {journal.begin(episode) for episode in (EPISODE, OTHER)} == {number}
            for deed in deeds:
                deed(journal)
    assert spent(file) == expected


def test_calls_of_one_path_in_many_episodes_are_not_compared_with_each_other() -> None:
    with closing(connect(":memory:")) as journal:
        journal.executescript(CREATE)
        for query in (RECONCILE, UNCHARGED):
            plan = [step for *_, step in journal.execute(f"EXPLAIN QUERY PLAN {query}")]
            assert not [step for step in plan if "AUTOMATIC" in step], plan
