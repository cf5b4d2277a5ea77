"""Token ids and log-probabilities in the journal: turns with them beside turns without, and bytes a token.

The endpoint is another process on loopback, which answers as vLLM does. It makes each answer once, before what is
measured, so what it does for an answer with tokens more than for one without is to send it.
"""

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import quantiles
from typing import Any

import msgspec

from benchmarks.measuring import Figure
from benchmarks.serving import serve_answers, serving
from benchmarks.turns import answers, scripted_react
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solve
from quintet.models.endpoint.model import Endpoint
from quintet.runtime.garbage import collecting_rarely
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime

_TURNS = 40
_EPISODES = 12
_PAIRS = 20
_AT_ONCE = 8
_VOCABULARY = 150_000


def figures() -> Iterator[Figure]:
    """Turns per second, and what the journal's file grows by. Ratios are of pairs of runs side by side."""
    clock, cpu, fastest, sizes = list[float](), list[float](), float("inf"), Counter[bool]()
    with (
        serving(sys.executable, "-m", "benchmarks.token_ids") as url,
        tempfile.TemporaryDirectory() as name,
        collecting_rarely(),
    ):
        for number in range(1 + _PAIRS):
            took, busy = dict[bool, float](), dict[bool, float]()
            for with_tokens in (False, True) if number % 2 else (True, False):
                file = Path(name) / f"{number}-{with_tokens}.sqlite"
                began, worked = time.perf_counter(), time.process_time()
                asyncio.run(_run(url, file, with_tokens=with_tokens))
                took[with_tokens] = time.perf_counter() - began
                busy[with_tokens] = time.process_time() - worked
                sizes[with_tokens] += file.stat().st_size
            if number:  # in the first pair the endpoint makes its answers
                clock.append(took[False] / took[True])
                cpu.append(busy[False] / busy[True])
                fastest = min(fastest, took[True])
        with closing(sqlite3.connect(Path(name) / "0-True.sqlite")) as journal:
            read, drawn, stored = journal.execute(_COUNTS).fetchone()
    yield Figure(
        "agent turns, endpoint on loopback, token ids journaled",
        _TURNS * _EPISODES / fastest,
        "/s",
        f"{_spread(clock)} of without, by this process's CPU {_spread(cpu)}; at least 0.9",
    )
    yield Figure(
        "journal, token ids and log-probabilities",
        (sizes[True] - sizes[False]) / (1 + _PAIRS) / (stored + drawn),
        "bytes a token",
        f"of {stored:,} tokens by which prompts go on and {drawn:,} drawn; prompts have {read:,}; at most 6",
    )


def _spread(ratios: list[float]) -> str:
    low, middle, high = quantiles(ratios, n=4)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


_COUNTS = """
SELECT sum(shared + length(prompt) / 3), sum(length(completion) / 3), sum(length(prompt) / 3) FROM tokens
"""


async def _run(url: str, file: Path, *, with_tokens: bool) -> None:
    spec = scripted_react(_TURNS, Endpoint("scripted", url=url, token_ids=with_tokens))
    episodes = [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch)))
        for epoch in range(_EPISODES)
    ]
    journal = SqliteJournal(file)
    async with LocalRuntime(spec, journal, concurrency=_AT_ONCE) as runtime:
        async for end in runtime.run(episodes):
            assert end.state == "unsolved", end.why
    journal.close()


@cache
def _ids(role: str, content: str) -> list[int]:
    """A token for each four characters, between those of a template."""
    words = [content[place : place + 4] for place in range(0, len(content), 4)]
    return [1, len(role), *(int.from_bytes(word.encode(), "little") % _VOCABULARY for word in words), 2]


@cache
def _answer(request: bytes) -> bytes:
    body = msgspec.json.decode(request)
    messages = body["messages"]
    said = chain.from_iterable(_ids(message["role"], message["content"]) for message in messages)
    prompt = [*said, *_ids("assistant", "")[:2]]
    turn = sum(message["role"] == "assistant" for message in messages)
    text = answers(_TURNS)[min(turn, _TURNS - 1)]
    drawn = _ids("assistant", text)[2:]
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop",
    }
    answer: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "scripted",
        "choices": [choice],
        "usage": {"prompt_tokens": len(prompt), "completion_tokens": len(drawn)},
    }
    if body.get("return_token_ids"):
        content = [{"token": str(each), "logprob": -(each % 977) / 311, "bytes": None} for each in drawn]
        choice |= {"token_ids": drawn, "logprobs": {"content": content}}
        answer["prompt_token_ids"] = prompt
    return msgspec.json.encode(answer)


if __name__ == "__main__":  # the server's own process
    serve_answers(_answer)
