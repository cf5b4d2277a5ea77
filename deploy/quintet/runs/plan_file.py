"""A plan's file: text that a person wrote, or took from a run that learnt it."""

from pathlib import Path

from quintet.config.sections import ModelSettings
from quintet.errors import UsageError
from quintet.messages.parts import LONGEST_PLAN

_PER_TOKEN = 8
"""Bytes of text in a token: more than in those of any model, so that nothing is refused that might fit."""


def read_plan(file: Path, reader: ModelSettings) -> str:
    """The text of a plan.

    Args:
        file: as it was named.
        reader: the model that will be shown it.

    Returns:
        Never empty; without white space around it.

    Raises:
        UsageError: it cannot be read, is empty or no text, or longer than a plan may be or than the model takes.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(LONGEST_PLAN + 1)
    except OSError as error:
        raise UsageError(f"method.plan: expected a text file, got {error.strerror or error} ({file})") from error
    if len(content) > LONGEST_PLAN:
        raise UsageError(f"method.plan: expected at most {LONGEST_PLAN:,} bytes, got more ({file})")
    text = _text(content, file)
    if not text:
        raise UsageError(f"method.plan: expected a plan, got an empty file ({file})")
    _refuse_what_does_not_fit(text, reader, file)
    return text


def _text(content: bytes, file: Path) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"method.plan: expected UTF-8 text, got other bytes ({file})") from error
    if "\0" in text:
        raise UsageError(f"method.plan: expected text, got null characters ({file})")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _refuse_what_does_not_fit(text: str, reader: ModelSettings, file: Path) -> None:
    if reader.context is None:
        return
    answer = reader.longest("executor")
    most = max(0, reader.context - answer) * _PER_TOKEN
    size = len(text.encode())
    if size > most:
        raise UsageError(
            f"method.plan: expected at most {most:,} bytes, since the executor's context of {reader.context:,} tokens "
            f"holds a completion of {answer:,} too, got {size:,} ({file})"
        )
