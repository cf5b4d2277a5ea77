"""A short run over several drivers, begun and run shard by shard in this process."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quintet.config.settings import from_table
from quintet.launch.evaluation import run_left
from quintet.launch.prepare import Prepared, prepare
from quintet.launch.shards import begin_sharded, open_shard
from quintet.launch.writable_run import WritableRun
from quintet.runs.run_folder import RunFolder
from quintet.runtime.counters import RunCounters
from quintet.testing.content import Content, content_of

GOALS = ["beehive", "lantern", "lectern", "purple bed"]
SHARDS = 4


def prepared(shards: int = SHARDS, **sections: Any) -> Prepared:
    table = {"method.name": "react", "environment.name": "textcraft", "run.tasks": GOALS, "runtime.shards": shards}
    return prepare([from_table({**table, **sections}, "a test")])


def begin(folder: Path, shards: int = SHARDS, **sections: Any) -> RunFolder:
    return begin_sharded(folder, prepared(shards, **sections))


def run_shard(run: RunFolder, shard: int, changes: Mapping[str, object] | None = None) -> None:
    with open_shard(run, shard, from_table(changes or {}, "a test")) as folder:
        asyncio.run(run_left(folder, RunCounters()))


def content(folder: RunFolder) -> Content:
    with folder.read_journals() as (journals, _):
        return content_of([record for _, reader in journals for record in reader.records()])


def run_one_driver(path: Path) -> RunFolder:
    """The same run by one driver."""
    with WritableRun.create(path, prepared(1)) as folder:
        asyncio.run(run_left(folder, RunCounters()))
    return RunFolder.open_to_read(path)
