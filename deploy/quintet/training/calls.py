"""The calls of a run's attempts as rows: prompt, completion, what the attempt came to, and tokens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from quintet.errors import UsageError
from quintet.events import CallMade, Record
from quintet.export.prompt_reader import PromptReader
from quintet.journal.episode_rows import EpisodeRow
from quintet.journal.reader import JournalReader
from quintet.messages.continuations import COPIED
from quintet.messages.paths import RESERVED
from quintet.messages.prompts import ChatMessage
from quintet.messages.tools import CalledFunction, ToolAnswer

TrainingRow = Mapping[str, Any]
"""By column."""


@dataclass(frozen=True)
class AnsweredCall:
    """A call that was answered by text, in full."""

    event: CallMade
    prompt: tuple[ChatMessage, ...]


def finished_attempts(reader: JournalReader) -> Iterator[EpisodeRow]:
    """The attempts at tasks that have a result, in the order of their starts."""
    for row in reader.episodes():
        if row.task not in RESERVED and row.is_result:
            yield row


def answered_calls(records: Sequence[Record]) -> Iterator[AnsweredCall]:
    """The calls of an attempt that were answered by text, without those copied from another run."""
    prompts = PromptReader(bound=len(records) + sum(len(node.appended) for each in records for node in each.prompts))
    for record in records:
        prompts.add(record.prompts)
    for record in records:
        event = record.event
        if (
            isinstance(event, CallMade)
            and record.incarnation != COPIED
            and not event.sampling.embeds
            and event.completion.finish in ("stop", "length")
        ):
            yield AnsweredCall(event, tuple(said.message for said in prompts.read(event.prompt)))


def call_rows(run: str, reader: JournalReader, *, with_tokens: bool) -> Iterator[TrainingRow]:
    """A row for each call of each attempt, of one attempt at a time; also with its `epoch` and its `tokens`.

    Args:
        with_tokens: each has its tokens, and calls without are left out.
    """
    for row in finished_attempts(reader):
        for call in answered_calls(reader.records_of(row, nodes=False)):
            completion = call.event.completion
            if with_tokens and completion.tokens is None:
                continue
            yield {
                "run": run,
                "episode": row.path,
                "call": call.event.path,
                "task": row.task,
                "phase": call.event.phase,
                "model": call.event.model,
                "weights_version": completion.weights_version,
                "finish": completion.finish,
                "reward": row.reward,
                "success": int(row.is_solved),
                "prompt": chat_form(call.prompt),
                "completion": answer_form(completion.text, completion.tool_answer),
                "tools": tools_form(completion.tool_answer),
                "epoch": row.epoch,
                "tokens": completion.tokens,
            }


def chat_form(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    """Messages in OpenAI's form."""
    return [{"role": each.role, "content": each.content} for each in messages]


def answer_form(text: str, tool_answer: ToolAnswer | None) -> list[dict[str, Any]]:
    """An answer as a message in OpenAI's form, with the calls of tools that it is, if it is any.

    Raises:
        UsageError: a model of a plug-in has journaled its calls in another form.
    """
    if tool_answer is None or not tool_answer.message:
        return [{"role": "assistant", "content": text}]
    try:
        said = tool_answer.read()
    except (msgspec.DecodeError, RecursionError) as error:
        raise _in_another_form("calls of tools", tool_answer.message, error) from error
    functions = [{"name": each.function.name, "arguments": _arguments_form(each.function)} for each in said.tool_calls]
    calls = [{"type": "function", "function": each} for each in functions]
    return [{"role": "assistant", "content": said.content or "", "tool_calls": calls}]


def tools_form(tool_answer: ToolAnswer | None) -> str | None:
    """The tools that were offered, as a list in JSON; None: there were none.

    Raises:
        UsageError: a model of a plug-in has journaled them in another form.
    """
    if tool_answer is None or not tool_answer.tools:
        return None
    try:
        msgspec.json.decode(tool_answer.tools, type=list[dict[str, Any]])
    except (msgspec.DecodeError, RecursionError) as error:
        raise _in_another_form("a list of tools", tool_answer.tools, error) from error
    return tool_answer.tools


def _in_another_form(what: str, written: str, error: Exception) -> UsageError:
    return UsageError(f"export --training: expected {what} in OpenAI's form, got {error} in {written:.60}")


def _arguments_form(called: CalledFunction) -> str:
    """Arguments as the JSON of an object, or of a text if they are none."""
    if called.read_arguments() is None:
        return msgspec.json.encode(called.arguments).decode()
    return called.arguments or "{}"
