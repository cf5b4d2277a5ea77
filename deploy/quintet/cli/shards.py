"""The drivers of a run over several: which one a command means, all of them at once, and one in place of another."""

import json as json_text
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import SEEK_END
from pathlib import Path
from time import sleep
from typing import Final, TypeAlias

from quintet.cli.commands import COMMAND_LINE
from quintet.cli.console import notify
from quintet.cli.detach import DETACH, start_again, start_detached
from quintet.cli.finish import finish
from quintet.cli.flags import ResumeFlags
from quintet.config.settings import Setting, Settings, quote
from quintet.errors import UsageError
from quintet.launch.shards import open_shard
from quintet.launch.writable_run import WritableRun
from quintet.plugins.files import open_regular
from quintet.reports.episodes import results
from quintet.reports.load import NO_EPISODES
from quintet.runs.ends import EXIT_CODES, HowEnded, RunStop, read_end
from quintet.runs.files import LockHolder, lock_holder, usable_folder
from quintet.runs.folder import shell_command
from quintet.runs.listing import read_entry
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder

_END: Final = 4_096
"""Bytes of a log in which its last line is looked for."""


def shard_settings(shard: str | None) -> Settings:
    """The setting that the flag stands for."""
    return {} if shard is None else {"runtime.shards": Setting(_parse(shard)[1], "--shard")}


def sharded_run(found: RunFolder | StudyFolder) -> RunFolder:
    """The folder, if it is of a run over several drivers."""
    if isinstance(found, StudyFolder) or not found.record.sharded:
        raise UsageError(f"--shard: expected a run over several drivers, got another one ({found.path})")
    return found


def shard_number(run: RunFolder, shard: str) -> int:
    """The number of the shard that a person named; a `UsageError` if the run has no such shard."""
    number, shards = _parse(shard)
    if shards != (of := run.record.configuration.runtime.shards):
        raise UsageError(f"--shard: expected I/{of}, as the run was begun, got {shard} ({run.path})")
    return number


def _parse(text: str) -> tuple[int, int]:
    number, _, shards = text.partition("/")
    if number.isdecimal() and shards.isdecimal() and len(text) < 10 and int(number) < int(shards) > 1:
        return int(number), int(shards)
    raise UsageError(f"--shard: expected I/N with N of at least 2 and I from 0 to N - 1, got {quote('', text)}")


def go_on_sharded(
    run: RunFolder,
    shard: str | None,
    flags: ResumeFlags,
    carry_out: Callable[[WritableRun, str], RunStop],
    *,
    settings: Settings | None = None,
    further: Sequence[str] = (),
    faulted: bool = False,
    trust: bool = False,
) -> int:
    """Begin or go on with a shard of a run over several drivers, or with all of them, and return the exit code.

    Args:
        carry_out: runs what is left of a shard under a label.
    """
    if shard is None:
        drivers = start_shards(run, *further, repeats=faulted)
        if flags.detach:
            return leave_shards(run, drivers, json=flags.json)
        return finish(run.path, wait_for_shards(run, drivers), json=flags.json)
    number = shard_number(run, shard)
    if flags.detach:
        return start_detached(run.shard_path(number), json=flags.json)

    def run_shard(each: int) -> RunStop:
        with open_shard(run, each, settings, trust=trust) as folder:
            return carry_out(folder, f"shard {each}: {folder.record.label}")

    number, stop = run_shards(run, number, run_shard)
    return finish(run.shard_path(number), stop, json=flags.json)


def run_shards(run: RunFolder, shard: int, run_shard: Callable[[int], RunStop]) -> tuple[int, RunStop]:
    """Run a shard, and then what is left of those whose drivers died; the last that was not done, or the first."""
    wait_for_another_driver(run.shard_path(shard))
    number, stop = shard, run_shard(shard)
    tried = {shard}
    while stop.ended in ("done", "faulted"):
        other = next((each for each in abandoned_shards(run) if each not in tried), None)
        if other is None:
            break
        tried.add(other)
        taken = take_over(run, other, run_shard)
        if taken is not None and taken.ended != "done":
            number, stop = other, taken
    return number, stop


def abandoned_shards(run: RunFolder) -> Iterator[int]:
    """The shards whose drivers died without a word: by a kill, or with their machine.

    One that stopped for a reason left it in its folder, and waits for a person; so does one that was taken over by a
    driver that died as well.
    """
    for part in run.parts:
        is_free = lock_holder(part.path) is None and not (part.path / TAKEN_OVER).exists()
        if is_free and read_end(part.path) is None and _is_left(part):
            yield part.record.shard or 0


def _is_left(part: RunFolder) -> bool:
    try:
        return not _is_finished(part)
    except UsageError:
        return True  # whoever goes on with it says what cannot be read


TAKEN_OVER = "taken-over"
"""A file in a shard's folder, there while another driver goes on with it in place of its own, or died of that."""


def take_over(run: RunFolder, shard: int, run_shard: Callable[[int], RunStop]) -> RunStop | None:
    """Run what is left of an abandoned shard; None: another driver was quicker, or it cannot go on."""
    mark = run.shard_path(shard) / TAKEN_OVER
    try:
        mark.touch(exist_ok=False)
    except OSError:
        return None
    notify(f"shard {shard}: its driver died; going on with it here")
    try:
        return run_shard(shard)
    except UsageError as error:
        notify(f"shard {shard}: {error}")
        return None
    finally:
        mark.unlink(missing_ok=True)


def wait_for_another_driver(shard: Path) -> None:
    """Wait while a driver goes on with a shard in place of its own."""
    holder = _holder_in_place(shard)
    if holder is not None:
        notify(f"shard {shard.name}: waiting for process {holder.process} on {holder.host}, which goes on with it")
    while _holder_in_place(shard) is not None:
        sleep(1.0)


def _holder_in_place(shard: Path) -> LockHolder | None:
    return lock_holder(shard) if (shard / TAKEN_OVER).exists() else None


Drivers: TypeAlias = Mapping[int, "subprocess.Popen[bytes]"]
"""Processes by shard."""


def start_shards(run: RunFolder, *further: str, repeats: bool) -> Drivers:
    """Start this command again for each shard that is not finished.

    Args:
        further: words for the command that it lacks.
        repeats: also those that are finished, since some of their episodes may be repeated.
    """
    finished = set[int]() if repeats else {part.record.shard or 0 for part in run.parts if _is_finished(part)}
    words = [*(word for word in COMMAND_LINE.get() if word != DETACH), *further]
    shards = run.record.configuration.runtime.shards
    started: dict[int, subprocess.Popen[bytes]] = {}
    try:
        with usable_folder(run.logs):
            run.logs.mkdir(parents=True, exist_ok=True)
            for shard in range(shards):
                if shard not in finished:
                    with (run.logs / f"shard-{shard}.log").open("ab") as output:
                        started[shard] = start_again([*words, "--shard", f"{shard}/{shards}"], output)
    except BaseException:
        _stop(started)
        raise
    notify(f"{len(started)} drivers; what they print: {run.logs}; how far they are: {shell_command('ls', run.path)}")
    return started


def _is_finished(part: RunFolder) -> bool:
    return results(part, NO_EPISODES).finished


def leave_shards(run: RunFolder, drivers: Drivers, *, json: bool) -> int:
    """Leave the drivers alone, and say where they are; the exit code."""
    processes = [driver.pid for driver in drivers.values()]
    for driver in drivers.values():
        driver.returncode = 0  # or Python warns that it still runs
    if json:
        print(json_text.dumps({"folder": str(run.path), "processes": processes, "logs": str(run.logs)}))
    else:
        notify(f"run folder: {run.path}, processes {', '.join(map(str, processes))}")
    return 0


def wait_for_shards(run: RunFolder, drivers: Drivers) -> RunStop:
    """Wait until all drivers have ended. The first signal to this process stops each of them."""
    try:
        codes = {shard: driver.wait() for shard, driver in drivers.items()}
    except KeyboardInterrupt:
        _stop(drivers)
        codes = {shard: driver.wait() for shard, driver in drivers.items()}
    entry = read_entry(run.path)
    refused = [f"shard {shard}: {_last_line(run, shard)}" for shard, code in codes.items() if code == 2]
    killed = [f"shard {shard}: killed by signal {-code}" for shard, code in codes.items() if code < 0]
    ended: HowEnded = "interrupted"
    for each in EXIT_CODES:
        if each == entry.state:
            ended = each
    if ended in ("done", "faulted"):
        return RunStop(ended)
    why = "; ".join([*refused, *killed, *([entry.reason] if entry.reason else [])])
    return RunStop(ended, why, f"what its drivers printed: {run.logs}" if ended == "stopped" else None)


def _stop(drivers: Drivers) -> None:
    for driver in drivers.values():
        driver.terminate()  # not SIGINT, which processes ignore that a shell started in its background


def _last_line(run: RunFolder, shard: int) -> str:
    with open(run.logs / f"shard-{shard}.log", "rb", opener=open_regular) as log:
        log.seek(-min(_END, log.seek(0, SEEK_END)), SEEK_END)
        lines = log.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
