"""One model call in full: its exact prompt, message by message, and its completion."""

from collections.abc import Sequence

from quintet.errors import UsageError
from quintet.events import CallMade, Record
from quintet.journal.reader import JournalReader
from quintet.messages.paths import order_of
from quintet.reports.transcript import TranscriptLine


def call_text(reader: JournalReader, records: Sequence[Record], number: int) -> list[TranscriptLine]:
    """The exact prompt of a call, message by message, and its completion.

    Raises:
        UsageError: the episode has no such call.
    """
    calls = [record.event for record in records if isinstance(record.event, CallMade)]
    calls.sort(key=lambda call: order_of(call.path))
    if not 1 <= number <= len(calls):
        raise UsageError(f"--call: expected 1 to {len(calls)}, the calls of this episode, got {number} ({reader.file})")
    call = calls[number - 1]
    usage, sampling = call.completion.usage, call.sampling
    lines = [TranscriptLine(0, "heading", f"call {number} of {len(calls)}, {call.path}, {call.model}")]
    parameters = f"temperature {sampling.temperature:g}, top_p {sampling.top_p:g}, max_tokens {sampling.max_tokens}"
    lines.append(TranscriptLine(0, "note", f"{parameters}, stop {list(sampling.stop)}, seed {sampling.seed}"))
    for message in reader.prompt(call.path):
        lines.append(TranscriptLine(0, "heading", f"--- {message.role}"))
        lines += _verbatim(message.content)
    if call.completion.reasoning:
        lines.append(TranscriptLine(0, "heading", "--- reasoning"))
        lines += _verbatim(call.completion.reasoning)
    tokens = f"{usage.prompt_tokens} prompt tokens, {usage.completion_tokens} completion tokens"
    lines.append(TranscriptLine(0, "heading", f"--- completion ({call.completion.finish}; {tokens})"))
    return lines + _verbatim(call.completion.text)


def _verbatim(text: str) -> list[TranscriptLine]:
    return [TranscriptLine(0, "observation", line) for line in text.split("\n")]
