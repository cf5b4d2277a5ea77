"""What caches can save: how much of prompts extends earlier ones, and what Anthropic's marks come to in USD."""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.caching_server import caching_server
from benchmarks.measuring import Figure
from benchmarks.turns import answers, scripted_react
from quintet.api import evaluate
from quintet.journal.prefixes import prefix_shares, total_share
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solve
from quintet.models.bridge.model import Bridge
from quintet.plugins.extras import PackageMissing, require_extra
from quintet.quota.prices import list_price
from quintet.runs.run_folder import RunFolder
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime

_AT_LEAST = {"react": 95, "adapt": 85, "devils_advocate": 80, "lats": 85}
"""Percent."""
_WORLDS = ("textcraft", "alfworld")
_TASKS = 8
_TURNS = 20
_CLAUDE = "claude-opus-4-1"
"""One that has a single price and caches prompts from 1,024 tokens on."""


def _share(method: str, world: str) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        evaluate(method, world, tasks=_TASKS, journal=folder)
        with RunFolder.open_to_read(folder).read_journals() as read:
            ((_, reader),) = read.journals
            return total_share(prefix_shares(reader.prompted()).values()).share


async def _usd(address: str, *, cache: bool) -> float:
    """USD of an episode of ReAct, by the list price of the model."""
    model = Bridge(f"anthropic/{_CLAUDE}", address=address, cache_prompt=cache)
    price = list_price(_CLAUDE, provider="anthropic", writes=model.pays_to_cache)
    assert price is not None
    spec = scripted_react(_TURNS, model)
    path = episode_path("beehive", 0, 0)
    with closing(SqliteJournal(":memory:", prices={model.name: price})) as journal:
        async with LocalRuntime(spec, journal, concurrency=1) as runtime:
            async for end in runtime.run([Planned(path, Solve(task=spec.task("beehive", 0)))]):
                assert end.state == "unsolved", end.why
        return sum(price.cost(use.usage) for use in journal.reader.used_by(path)) / 1e9


def figures() -> Iterator[Figure]:
    """The share of each method, and the ratio of the two costs."""
    for method, least in _AT_LEAST.items():
        for world in _WORLDS:
            title = f"prompts that extend earlier ones, characters, {method}, {world}"
            yield Figure(title, 100 * _share(method, world), "%", f"{_TASKS} tasks; at least {least} %")
    try:
        require_extra("any_llm", "bridge", "prompt_prefixes")
    except PackageMissing:
        return
    os.environ.setdefault("ANTHROPIC_API_KEY", "sk-of-nobody")
    spent: dict[bool, float] = {}
    for cache in (True, False):
        with caching_server(answers(_TURNS)) as address:
            spent[cache] = asyncio.run(_usd(address, cache=cache))
    title = f"{_TURNS} turns of ReAct at Anthropic's prices, USD with marks over without"
    yield Figure(title, spent[True] / spent[False], "x", f"{spent[True]:.3f} over {spent[False]:.3f}; at most 0.33")


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
