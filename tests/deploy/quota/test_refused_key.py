"""A key that an endpoint refuses spends nothing: neither the calls that it refuses nor those that this cuts off."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path

import pytest
from aiohttp import web

from quintet.errors import EndpointUnavailable
from quintet.journal.writer import SqliteJournal
from quintet.models.endpoint.model import Endpoint
from quintet.ports.model import Usage
from quintet.quota.allowance import Allowance
from quintet.quota.budget import Budget
from quintet.quota.limiter import RateLimits
from quintet.quota.prices import Price
from quintet.quota.quota import LocalLimiters, Quota
from tests.deploy.quota.test_quota import crowd, spent
from tests.simulation.scenes import planned, played

pytestmark = pytest.mark.real_time

BRANCHES = 4
USED = Usage(prompt_tokens=40, completion_tokens=3)
PRICE = Price(input=Decimal(1), cached_input=Decimal(1), output=Decimal(4))
ANSWER = {
    "choices": [{"message": {"role": "assistant", "content": "Action: inventory"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": USED.prompt_tokens, "completion_tokens": USED.completion_tokens},
}


@asynccontextmanager
async def serve(status: int, *, refuses: int) -> AsyncGenerator[tuple[str, list[int]], None]:
    """Serve the address, and how many requests came.

    Args:
        refuses: the request that is refused with this status, once there are as many as there are branches; those
            before it, counted from 1, are answered. All later ones are left without an answer.
    """
    came: list[int] = []
    all_came = asyncio.Event()

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        came.append(number := len(came) + 1)
        if number < refuses or not refuses:
            return web.json_response(ANSWER)
        if number == refuses + BRANCHES - 1:
            all_came.set()
        await all_came.wait()
        if number > refuses:
            await asyncio.Event().wait()
        return web.json_response({"error": {"message": "No."}}, status=status)

    application = web.Application()
    application.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(application, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port, *_ = runner.addresses[0]
    try:
        yield f"http://{host}:{port}/v1", came
    finally:
        await runner.cleanup()


async def start(journal: SqliteJournal, budget: Budget, status: int, refuses: int, calls: int = 1) -> list[int]:
    """Let as many branches call at once; returns the requests."""
    async with serve(status, refuses=refuses) as (url, came):
        model = Endpoint("gpt-x", url=url)
        quota = Quota(LocalLimiters(RateLimits(calls=100)).limiter, budget)
        spec = crowd(model, branches=BRANCHES, calls=calls)
        try:
            await played(spec, journal, planned(spec, ("stick",)), concurrency=1, quota=quota)
        finally:
            await model.aclose()
        return came


def budget_of(journal: SqliteJournal, kind: str) -> Budget:
    """A budget that holds the calls of all branches at once, and no more than that twice."""
    tokens = 8_000
    limits = {
        "tokens": (Allowance(tokens=tokens), Allowance()),
        "usd": (Allowance(nanodollars=20_000_000), Allowance()),
        "episode": (Allowance(), Allowance(tokens=tokens)),
        "calls": (Allowance(), Allowance()),
    }
    calls = BRANCHES if kind == "calls" else None
    return Budget(*limits[kind], lambda _, usage: PRICE.cost(usage), journal.charges, episode_calls=calls)


@pytest.mark.parametrize("kind", ["tokens", "usd", "episode", "calls"])
@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_leaves_the_whole_budget_to_the_right_one(tmp_path: Path, kind: str, status: int) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite", prices={"gpt-x": PRICE})
    for _ in range(3):
        budget = budget_of(journal, kind)
        with pytest.raises(EndpointUnavailable, match=str(status)):
            await start(journal, budget, status, refuses=1)
        assert (spent(journal), budget.spent.tokens, budget.spent.nanodollars) == (0, 0, 0)
    assert len(await start(journal, budget_of(journal, kind), status, refuses=0)) == BRANCHES
    assert spent(journal) == BRANCHES * (USED.prompt_tokens + USED.completion_tokens)
    journal.close()


async def test_calls_under_way_with_a_key_that_was_let_in_before_are_charged_in_full(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    with pytest.raises(EndpointUnavailable, match="401"):
        await start(journal, budget_of(journal, "tokens"), 401, refuses=BRANCHES + 1, calls=2)
    answered = BRANCHES * (USED.prompt_tokens + USED.completion_tokens)
    assert spent(journal) > answered + (BRANCHES - 1) * 512
    journal.close()
