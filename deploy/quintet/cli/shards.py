"""`--shard I/N`: which shard of a run over several drivers a command means."""

from quintet.config.settings import Setting, Settings, quote
from quintet.errors import UsageError
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder


def shard_settings(shard: str | None) -> Settings:
    """The setting that the flag stands for."""
    return {} if shard is None else {"runtime.shards": Setting(_parse(shard)[1], "--shard")}


def divided_run(found: RunFolder | StudyFolder) -> RunFolder:
    """The folder, if it is of a run over several drivers."""
    if isinstance(found, StudyFolder) or not found.record.divided:
        raise UsageError(f"--shard: expected a run over several drivers, got another one ({found.path})")
    return found


def find_shard(run: RunFolder, shard: str) -> int:
    """The number of a shard."""
    number, shards = _parse(shard)
    if shards != (of := run.record.configuration.runtime.shards):
        raise UsageError(f"--shard: expected I/{of}, as the run was begun, got {shard} ({run.path})")
    return number


def _parse(text: str) -> tuple[int, int]:
    number, _, shards = text.partition("/")
    if number.isdecimal() and shards.isdecimal() and len(text) < 10 and int(number) < int(shards):
        return int(number), int(shards)
    raise UsageError(f"--shard: expected I/N with I from 0 to N - 1, got {quote('', text)}")
