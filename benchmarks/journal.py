"""The journal's size beside its text: the messages of prompts, completions and observations."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.measuring import Figure
from quintet.api import open_run

_EPISODES = 100

# A completion or an observation counts as often as a model or a world gave it; as a message of a prompt it counts no
# second time. Other messages, such as instructions, count once.
WRITTEN = """
SELECT sum(length(CAST(text AS BLOB))) FROM (
    SELECT completion AS text FROM calls
    UNION ALL SELECT observation FROM steps
    UNION ALL SELECT observation FROM sessions
    UNION ALL SELECT * FROM (
        SELECT content FROM prompts EXCEPT SELECT completion FROM calls
        EXCEPT SELECT observation FROM steps EXCEPT SELECT observation FROM sessions
    )
)
"""
# Equal texts count once in the whole run, whoever wrote them.
_DISTINCT = """
SELECT sum(length(CAST(text AS BLOB))) FROM (
    SELECT completion AS text FROM calls UNION SELECT observation FROM steps
    UNION SELECT observation FROM sessions UNION SELECT content FROM prompts
)
"""


async def _run(environment: str, model: str, folder: Path) -> None:
    async with open_run("react", environment, model=model, tasks=_EPISODES, journal=folder) as run:
        async for _ in run.run(run.left()):
            pass


def figures() -> Iterator[Figure]:
    """Bytes of a ReAct run's journal over its text, for a model that solves every task and one that repeats itself."""
    for environment in ("textcraft", "alfworld"):
        for model in ("sim-strong", "sim-weak"):
            with tempfile.TemporaryDirectory() as folder:
                run = Path(folder) / "run"
                asyncio.run(_run(environment, model, run))
                yield _figure(f"journal over its text, ReAct on {environment}, {model}", run / "journal.sqlite")


def _figure(name: str, file: Path) -> Figure:
    with closing(sqlite3.connect(file)) as journal:
        ((calls,), (written,), (distinct,)) = (
            journal.execute(query).fetchone() for query in ("SELECT count(*) FROM calls", WRITTEN, _DISTINCT)
        )
    size = file.stat().st_size
    beside = f"{size / distinct:.1f} x if equal texts count once in the run, {size / calls:.0f} bytes a turn"
    return Figure(name, size / written, "x", beside)
