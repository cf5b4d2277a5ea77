"""Tree searches, killed at every position of their journals, go on without repeating a recorded call."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quintet.events import CallMade, CutShort, EpisodeEnded, NodeGrown
from quintet.journal.writer import SqliteJournal
from quintet.quota.budget import Allowance, Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from tests.simulation.content import content, expect_agreement
from tests.simulation.scenes import Explorer, Joint, Noting, Slow, planned, played, search
from tests.simulation.test_crashes import POSITIONS, killed
from tests.simulation.virtual import run

GOALS = ("honeycomb block",)
LATS: dict[str, Any] = {"iterations": 4, "rollout_depth": 2}
SEARCHES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "lats": ("lats", 1, LATS),
    "lats, 3 workers": ("lats", 3, {**LATS, "workers": 3}),
    "lats, 3 workers in rounds": ("lats", 0, {**LATS, "workers": 3, "order": "rounds"}),
    "lats, several by one request": ("lats", 0, LATS),
    "best first": ("search", 1, {"nodes": 12}),
    "best first, 3 workers": ("search", 3, {"nodes": 12, "workers": 3}),
    "breadth, 3 workers": ("search", 0, {"order": "breadth", "scores": "votes", "workers": 3, "width": 2}),
    "beam with siblings": ("search", 1, {"order": "beam", "siblings": True, "width": 2}),
    "mcts, 3 workers": ("search", 3, {"order": "mcts", "nodes": 12, "workers": 3}),
}
"""Methods, seeds of their runs, and options."""
FAST = ("lats", "lats, 3 workers", "lats, several by one request")


def calls(journal: SqliteJournal) -> set[tuple[str, int | None]]:
    """The recorded calls."""
    events = [record.event for record in journal.reader.records()]
    return {(event.prompt, event.sampling.seed) for event in events if isinstance(event, CallMade)}


@POSITIONS
@pytest.mark.parametrize(
    "name",
    [name if name in FAST else pytest.param(name, marks=pytest.mark.slow, id=name) for name in SEARCHES],
)
def test_a_crash_at_a_position_repeats_no_recorded_call(name: str, apart: int, tmp_path: Path) -> None:
    method, seed, config = SEARCHES[name]
    model = (Joint if "several" in name else Noting)(Slow(Explorer()))
    spec = search(method, model, seed, **config)
    whole = SqliteJournal(":memory:")
    run(played(spec, whole, planned(spec, GOALS)))
    expected, positions, agreed = content(whole), len(whole.reader.records()), 0
    assert sum(isinstance(event, NodeGrown) for event in expected.values()) > 8
    work = partial(played, spec, episodes=planned(spec, GOALS))
    for where, resumed in killed(tmp_path, range(1, positions, apart), work):
        left, recorded = content(resumed), calls(resumed)
        model.asked.clear()
        run(played(spec, resumed, planned(spec, GOALS)))
        got = content(resumed)
        assert recorded.isdisjoint(model.asked), where
        assert len(model.asked) == len(set(model.asked)), where
        assert [event.fault for event in got.values() if isinstance(event, EpisodeEnded)] == [None], where
        if config.get("workers", 1) == 1 or config.get("order") in ("rounds", "breadth"):
            assert set(model.asked) == calls(resumed) - recorded, where
        agreed += not expect_agreement(expected, left, got)
    whole.close()
    assert agreed > positions / apart / 10


ROOM = 5_200
"""Tokens, or nanodollars at one a token: little more than what one call may take."""


@pytest.mark.parametrize("limit", [Allowance(tokens=ROOM), Allowance(nanodollars=ROOM)], ids=["tokens", "usd"])
@pytest.mark.parametrize("name", ["lats", "lats, 3 workers", "lats, 3 workers in rounds"])
def test_a_budget_that_ends_inside_an_expansion_ends_the_search_as_it_offered(name: str, limit: Allowance) -> None:
    method, seed, config = SEARCHES[name]
    spec = search(method, Slow(Explorer()), seed, **config)

    async def limited(journal: SqliteJournal) -> int:
        budget = Budget(
            Allowance(), limit, lambda _, used: used.prompt_tokens + used.completion_tokens, journal.charges
        )
        quota = Quota(LocalLimiters(RateLimits()).limiter, budget)
        await played(spec, journal, planned(spec, GOALS), concurrency=1, quota=quota)
        return max(budget.spent.tokens, budget.spent.nanodollars or 0)

    journal = SqliteJournal(":memory:")
    assert run(limited(journal)) <= ROOM
    events = [record.event for record in journal.reader.records()]
    (cut,) = (event for event in events if isinstance(event, CutShort))
    (end,) = (event for event in events if isinstance(event, EpisodeEnded))
    assert cut.offer is not None
    assert (end.reason, end.reward, end.fault) == ("episode budget", cut.offer.reward, None)
    assert any(isinstance(event, NodeGrown) and event.node > 0 for event in events)
    journal.close()
