"""The plan that a run is given, as a file."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from quintet.config.sections import ModelSettings
from quintet.errors import UsageError
from quintet.messages.parts import LONGEST_PLAN
from quintet.plugins.files import read_limited
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.folder import read_record
from quintet.runs.record import RUN_RECORD, RunRecord

_PER_TOKEN = 8
"""Bytes of text in a token: more than any model has, so nothing is refused that might fit."""


def read_plan_file(file: Path, world: str, readers: Iterable[ModelSettings]) -> str:
    """Read a plan that a person names, written by hand or copied from a run that learnt it.

    Args:
        world: of the run that is given it.
        readers: the models that will read it.

    Returns:
        The text, never empty, without white space around it.

    Raises:
        UsageError: the file cannot be read, is empty, is no text, is longer than a plan may be or a model takes, or
            lies in the folder of a run in another world.
    """
    try:
        content = read_limited(file, LONGEST_PLAN)
    except OSError as error:
        raise UsageError(f"method.plan: expected a text file, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"method.plan: {error} ({file})") from error
    text = _text(content, file)
    if not text:
        raise UsageError(f"method.plan: expected a plan, got an empty file ({file})")
    for reader in readers:
        _refuse_too_long(text, reader, file)
    _refuse_other_world(file, world)
    return text


def _refuse_other_world(file: Path, world: str) -> None:
    """Refuse a plan from a run's folder, or from the folder of its versions, if that run was in another world."""
    for folder in file.parents[:2]:
        learnt_in = world
        with suppress(UsageError):  # no run's folder, or one of another version
            learnt_in = read_record(folder / RUN_RECORD, RunRecord).configuration.environment.name
        if learnt_in != world:
            raise UsageError(f"method.plan: expected a plan for {world}, got one of a run in {learnt_in} ({file})")


def _text(content: bytes, file: Path) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"method.plan: expected UTF-8 text, got other bytes ({file})") from error
    if "\0" in text:
        raise UsageError(f"method.plan: expected text, got null characters ({file})")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _refuse_too_long(text: str, reader: ModelSettings, file: Path) -> None:
    if reader.context is None:
        return
    answer = reader.longest(EXECUTOR_ROLE)
    most = max(0, reader.context - answer) * _PER_TOKEN
    size = len(text.encode())
    if size > most:
        raise UsageError(
            f"method.plan: expected at most {most:,} bytes, since the executor's context of {reader.context:,} tokens "
            f"holds a completion of {answer:,} too, got {size:,} ({file})"
        )
