"""Begins and opens a run over several drivers: its record, written by the first of them, and a run folder for each."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared
from quintet.launch.writable_run import WritableRun
from quintet.runs.files import refuse_links, refuse_network_file_system, sync_folder, usable_folder, write_whole
from quintet.runs.folder import read_record, refuse_content
from quintet.runs.record import RUN_RECORD, RunRecord
from quintet.runs.run_folder import SHARDS, RunFolder
from quintet.trust.refusal import approve_run

_ABOUT_THE_START = {"created", "packages", "git_commit", "sustained", "configuration"}
"""What the records of two drivers of one run may differ in; of the configuration, only the section `runtime`."""


def begin_sharded(path: Path, prepared: Prepared) -> RunFolder:
    """The folder of a new run over several drivers, any of which may be the first to call this.

    Raises:
        UsageError: the folder has other content or another run, or it is on a network file system.
    """
    refuse_network_file_system(path)
    own = path / f"{RUN_RECORD}.{socket.gethostname()}.{os.getpid()}"
    with usable_folder(path, "--out", "made"):
        path.mkdir(parents=True, exist_ok=True)
        if not (path / RUN_RECORD).exists():
            refuse_content(path, {each.name for each in path.glob(f"{RUN_RECORD}.*")} | {RUN_RECORD, SHARDS, "logs"})
            approve_run(prepared.record, {})
            write_whole(own, prepared.record.model_dump_json(indent=2) + "\n")
            _link_first(own, path / RUN_RECORD)
            sync_folder(path.parent)
    first = read_record(path / RUN_RECORD, RunRecord)
    for part in _different(first, prepared.record):
        raise UsageError(f"--out: expected the run that its shards share, got one with other {part} ({path})")
    refuse_links(path)
    # Under this driver's own settings, whoever was the first: they are what its user started.
    return RunFolder(path, prepared.record.model_copy(update={"created": first.created}), prepared.prices)


def _link_first(own: Path, record: Path) -> None:
    """Give a file its final name, unless another process was the first to do so."""
    try:
        os.link(own, record)
    except FileExistsError:
        pass
    finally:
        own.unlink()


def _different(ours: RunRecord, theirs: RunRecord) -> Iterator[str]:
    """The parts in which two records are of different runs."""
    shards = ours.configuration.runtime.shards
    runtime = theirs.configuration.runtime.model_copy(update={"shards": shards})
    if theirs.configuration.runtime.shards != shards:
        yield "shards"
    if ours.configuration.model_copy(update={"runtime": runtime}) != theirs.configuration:
        yield "configuration"
    for name in RunRecord.model_fields:
        if name not in _ABOUT_THE_START and getattr(ours, name) != getattr(theirs, name):
            yield name


def open_shard(run: RunFolder, shard: int, settings: Settings | None = None, *, trust: bool = False) -> WritableRun:
    """A shard of a run, open to write: a new one, or one that goes on; see `WritableRun.open`."""
    path = run.shard_path(shard)
    if (path / RUN_RECORD).is_file():
        return WritableRun.open(path, settings, trust=trust)
    record = run.record.model_copy(update={"shard": shard, "tasks": run.record.shard_tasks(shard)})
    return WritableRun.create(path, record, settings)
