"""Pairs of answers to one prompt, of which one came to more: in trees, and over attempts.

Answers are compared only where the journal shows the same prompt to have had several. So the state is the same.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from statistics import fmean
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from quintet.events import NodeGrown, Record
from quintet.journal.cells import Row
from quintet.journal.nodes import last_nodes
from quintet.journal.reader import JournalReader
from quintet.messages.continuations import COPIED
from quintet.messages.paths import Path, order_of
from quintet.messages.prompts import ChatMessage
from quintet.messages.tools import ToolAnswer
from quintet.reports.transcript import chosen_action
from quintet.training.calls import (
    AnsweredCall,
    TrainingRow,
    answer_form,
    answered_calls,
    chat_form,
    finished_attempts,
    tools_form,
)

Source: TypeAlias = Literal["tree", "attempts"]

ANSWERS: Final = f"""
SELECT call.prompt, call.id, episode.task, call.path, call.completion, episode.reward
FROM calls AS call JOIN episodes AS episode ON episode.id = call.episode
WHERE call.prompt >= ? AND call.incarnation <> {COPIED} AND call.max_tokens > 0 AND call.finish = 'stop'
    AND episode.task NOT LIKE '~%' AND episode.reward IS NOT NULL AND call.prompt IN (
        SELECT prompt FROM calls WHERE incarnation <> {COPIED} GROUP BY prompt
        HAVING count(DISTINCT completion) > 1 AND count(DISTINCT episode) > 1
    )
ORDER BY call.prompt, call.id
"""
"""Answers to the prompts that several attempts had, and that were answered differently."""


class _Answer(NamedTuple):
    prompt: int
    call: int
    task: str
    path: str
    completion: str
    reward: float


class _Scored(NamedTuple):
    """A text that answers a prompt."""

    score: float
    call: str
    """The first that it answers."""
    text: str
    tool_answer: ToolAnswer | None


def pair_rows(run: str, reader: JournalReader) -> Iterator[TrainingRow]:
    """A row for the best answer to a prompt beside each that came to less."""
    for task, prompt, answers in _in_trees(reader):
        yield from _pairs(run, task, "tree", prompt, answers)
    for task, prompt, answers in _over_attempts(reader):
        yield from _pairs(run, task, "attempts", prompt, answers)


def _pairs(
    run: str, task: str, source: Source, prompt: Sequence[ChatMessage], answers: Sequence[_Scored]
) -> Iterator[TrainingRow]:
    best = max(answers, key=itemgetter(0))
    for other in answers:
        if other.score < best.score:
            yield {
                "run": run,
                "task": task,
                "source": source,
                "prompt": chat_form(prompt),
                "chosen": answer_form(best.text, best.tool_answer),
                "rejected": answer_form(other.text, other.tool_answer),
                "score_chosen": best.score,
                "score_rejected": other.score,
                "call_chosen": best.call,
                "call_rejected": other.call,
                "tools": tools_form(best.tool_answer),
            }


def _over_attempts(reader: JournalReader) -> Iterator[tuple[str, Sequence[ChatMessage], list[_Scored]]]:
    """A text's score is the mean reward of the attempts in which it was said, where the same tools were offered."""
    rows = (row for batch in reader.scan(ANSWERS, _as_answers, unit=1) for row in batch)
    for _, answers in groupby(rows, key=itemgetter(0)):
        offered: dict[str, dict[str, list[tuple[_Answer, ToolAnswer | None]]]] = {}
        for answer in answers:
            tool_answer = reader.tool_answer(answer.call)
            said = offered.setdefault(_tools_of(tool_answer), {})
            said.setdefault(answer.completion, []).append((answer, tool_answer))
        for said in offered.values():
            scored = list[_Scored]()
            for text, same in said.items():
                first, tool_answer = same[0]
                scored.append(_Scored(fmean(each.reward for each, _ in same), first.path, text, tool_answer))
            if len({each.score for each in scored}) > 1:
                first, _ = next(iter(said.values()))[0]
                yield first.task, reader.prompt(Path(first.path)), scored


def _tools_of(answer: ToolAnswer | None) -> str:
    return "" if answer is None else answer.tools


def _as_answers(rows: Sequence[Row]) -> list[_Answer]:
    return msgspec.convert(rows, list[_Answer])


def _in_trees(reader: JournalReader) -> Iterator[tuple[str, Sequence[ChatMessage], list[_Scored]]]:
    """A text's score is the value of the node that its action led to, among those of one parent."""
    for row in finished_attempts(reader):
        records = reader.records_of(row)
        nodes = _grown(records)
        if not nodes:
            continue
        calls = [(call, chosen_action(call.event.completion.text)) for call in answered_calls(records)]
        for _, siblings in groupby(sorted(nodes, key=_family), key=_family):
            if found := _proposed(list(siblings), calls):
                prompt, scored = found
                yield row.task, prompt, scored


class _Grown(NamedTuple):
    node: NodeGrown
    """As it stands in the end."""
    first: Path
    """Of its first event."""


def _family(grown: _Grown) -> tuple[str, int]:
    return grown.node.tree, -1 if grown.node.parent is None else grown.node.parent


def _grown(records: Sequence[Record]) -> list[_Grown]:
    """The nodes that have a value, but roots."""
    events = [record.event for record in records]
    first = last_nodes(reversed(events))
    return [
        _Grown(node, first[key].path)
        for key, node in last_nodes(events).items()
        if node.parent is not None and node.value is not None
    ]


def _proposed(
    siblings: Sequence[_Grown], calls: Sequence[tuple[AnsweredCall, str]]
) -> tuple[Sequence[ChatMessage], list[_Scored]] | None:
    """The prompt for which siblings were proposed, and the texts that did; None unless all had it, and the same tools.

    A node was proposed by the last call before it whose answer ends with its action, or chose it in JSON.

    Args:
        calls: each with the action that its answer chose.
    """
    prompts, scored = dict[tuple[str, str], Sequence[ChatMessage]](), list[_Scored]()
    for node, first in siblings:
        before = [
            call
            for call, chosen in calls
            if (chosen == node.action or call.event.completion.text.rstrip().endswith(node.action))
            and order_of(call.event.path) < order_of(first)
        ]
        if not before:
            return None
        call = max(before, key=lambda each: order_of(each.event.path))
        completion = call.event.completion
        prompts[call.event.prompt, _tools_of(completion.tool_answer)] = call.prompt
        scored.append(_Scored(node.value or 0.0, call.event.path, completion.text, completion.tool_answer))
    return (next(iter(prompts.values())), scored) if len(prompts) == 1 else None
