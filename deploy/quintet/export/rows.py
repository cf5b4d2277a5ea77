"""Converts a journal's records to rows of the exported tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from quintet.config.tasks import TaskEntry
from quintet.events import (
    AnyEvent,
    BranchEnded,
    CallMade,
    Cancelled,
    CutShort,
    Decided,
    EpisodeEnded,
    EpisodeReported,
    Published,
    Record,
    Refused,
    Requeued,
    StepTaken,
)
from quintet.export.tables import (
    AttemptColumns,
    CompletionColumns,
    DecisionColumns,
    EpisodeColumns,
    EventColumns,
    ExportedMessage,
    PromptColumns,
    RunColumns,
    StepColumns,
    VersionColumns,
)
from quintet.journal.reader import AttemptStart, Spending
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptNode
from quintet.runs.record import RunRecord


class TableRow(NamedTuple):
    """A row, and the name of its table."""

    table: str
    values: Mapping[str, object]


def episode_row(
    attempt: AttemptColumns,
    path: Path,
    run: RunRecord,
    model: str,
    task: TaskEntry | None,
    start: AttemptStart,
    spent: Spending,
    usd: float | None,
    records: Sequence[Record],
) -> TableRow:
    """The row of an attempt. It has an end if the records do; `task` is None for a learner or a visit."""
    row: EpisodeColumns = {
        **attempt,
        "path": path,
        "incarnation": start.incarnation,
        "host": None,
        "started": _time(start.at),
        "ended": None,
        "seconds": None,
        "method": run.configuration.method.name,
        "environment": run.configuration.environment.name,
        "model": model,
        "metadata": {} if task is None else dict(task.metadata),
        "purpose": None if task is None else run.use_of(task.name),
        "state": "unfinished",
        "success": None,
        "reward": None,
        "claimed": None,
        "depth": None,
        "calls": spent.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "usd": usd,
        "reason": "",
        "fault": None,
    }
    for record in records:
        if isinstance(record.event, EpisodeEnded):
            row = _with_end(row, record, record.event)
    return TableRow("episodes", row)


def _with_end(row: EpisodeColumns, record: Record, event: EpisodeEnded) -> EpisodeColumns:
    fault, result = event.fault, event.state != "faulted"
    return {
        **row,
        "host": record.host,
        "ended": _time(record.at),
        "seconds": record.seconds,
        "state": event.state,
        "success": event.reward >= 1 if result else None,
        "reward": event.reward if result else None,
        "claimed": event.claimed,
        "depth": event.depth,
        "reason": event.why,
        "fault": None if fault is None else fault.kind,
    }


_TABLE_OF: Mapping[type[AnyEvent], str] = {
    StepTaken: "steps",
    CallMade: "completions",
    **dict.fromkeys(
        (Decided, BranchEnded, Refused, EpisodeReported, CutShort, Cancelled, Requeued),
        "decisions",
    ),
}
"""An end is its episode's and a version has its own table; openings and exchanges are not exported."""


def event_rows(attempt: AttemptColumns, records: Sequence[Record]) -> Iterator[TableRow]:
    """The rows of an attempt's steps, completions and decisions.

    Args:
        attempt: columns that all rows share.
        records: of the attempt, in order.
    """
    numbers: Counter[str] = Counter()
    for record in records:
        event = record.event
        table = _TABLE_OF.get(type(event))
        if table is None:
            continue
        numbers[table] += 1
        common: EventColumns = {
            **attempt,
            "path": event.path,
            "number": numbers[table],
            "incarnation": record.incarnation,
            "host": record.host,
            "at": _time(record.at),
            "seconds": record.seconds,
        }
        match event:
            case StepTaken():
                yield TableRow(table, _step(common, event))
            case CallMade():
                yield TableRow(table, _completion(common, event))
            case _:
                yield TableRow(table, _decision(common, event))


def _decision(common: EventColumns, event: AnyEvent) -> DecisionColumns:
    question, answer = "", ""
    match event:
        case Decided():
            question, answer = event.question, event.answer
        case BranchEnded():
            answer = str(event.branch)
        case Refused() | CutShort():
            answer = event.reason
        case EpisodeReported():
            answer = event.attempt
        case Requeued():
            answer = event.repeats
        case _:
            pass
    return {**common, "kind": event.kind, "question": question, "answer": answer}


def _step(common: EventColumns, event: StepTaken) -> StepColumns:
    return {
        **common,
        "session": event.session,
        "thought": event.thought,
        "action": event.action,
        "observation": event.observation,
        "reward": event.reward,
        "done": event.done,
        "rejected": event.rejected,
    }


def _completion(common: EventColumns, event: CallMade) -> CompletionColumns:
    sampling, completion, usage = event.sampling, event.completion, event.completion.usage
    return {
        **common,
        "model": event.model,
        "prompt": event.prompt,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "stop": list(sampling.stop),
        "seed": sampling.seed,
        "text": completion.text,
        "reasoning": completion.reasoning,
        "finish": completion.finish,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "fingerprint": completion.fingerprint,
    }


def version_rows(run: RunColumns, records: Sequence[Record], chosen: int | None) -> Iterator[TableRow]:
    """The rows of a learner's versions.

    Args:
        run: columns that all rows share.
        records: of the learner, in order.
        chosen: the version that the learner chose; None if it has not ended.
    """
    before: str | None = None
    for record in records:
        if isinstance(record.event, Published):
            event = record.event
            row: VersionColumns = {
                **run,
                "version": event.version,
                "text": event.content,
                "unchanged": before == event.content.strip(),
                "chosen": None if chosen is None else chosen == event.version,
                "path": event.path,
                "incarnation": record.incarnation,
                "host": record.host,
                "at": _time(record.at),
            }
            yield TableRow("versions", row)
            before = event.content.strip()


def prompt_row(run: RunColumns, node: PromptNode) -> TableRow:
    """The row of a prompt."""
    appended = [ExportedMessage(role=message.role, content=message.content) for message in node.appended]
    row: PromptColumns = {**run, "address": node.address, "parent": node.parent, "appended": appended}
    return TableRow("prompts", row)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
