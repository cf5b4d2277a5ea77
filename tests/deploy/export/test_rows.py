"""The rows have the content of the journal."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.events import (
    AnyEvent,
    BranchEnded,
    CallMade,
    Cancelled,
    CutShort,
    Decided,
    EpisodeReported,
    Event,
    Record,
    Refused,
    Requeued,
    StepTaken,
)
from quintet.export.parquet import TableFiles, arrow_schema
from quintet.export.rows import event_rows, prompt_row
from quintet.export.tables import AttemptColumns
from quintet.messages.prompts import Prompt, assistant, user
from tests.deploy.export.exported import table
from tests.protocols import strategies

ATTEMPT: AttemptColumns = {
    "run": "one",
    "arm": None,
    "task": "beehive",
    "epoch": 1,
    "attempt": 2,
    "counts": True,
}
TABLES: dict[str, tuple[type[Event], ...]] = {
    "steps": (StepTaken,),
    "completions": (CallMade,),
    "decisions": (Decided, BranchEnded, Refused, EpisodeReported, CutShort, Cancelled, Requeued),
}


def _flat(event: Event) -> dict[str, object]:
    match event:
        case CallMade(sampling=sampling, completion=completion):
            usage = completion.usage
            return {
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
        case BranchEnded(branch=branch):
            return {"kind": "branch_ended", "question": "", "answer": str(branch)}
        case CutShort(reason=reason) | Refused(reason=reason):
            return {"kind": event.kind, "question": "", "answer": reason}
        case EpisodeReported(attempt=attempt) | Requeued(repeats=attempt):
            return {"kind": event.kind, "question": "", "answer": attempt}
        case Cancelled():
            return {"kind": "cancelled", "question": "", "answer": ""}
        case Decided(question=question, answer=answer):
            return {"kind": "decided", "question": question, "answer": answer}
        case _:
            return {field: getattr(event, field) for field in event.__struct_fields__ if field != "path"}


_KINDS = [strategies.of(kind) for kinds in TABLES.values() for kind in kinds]


@settings(max_examples=30, deadline=None)  # files are written
@given(st.lists(st.one_of(_KINDS), max_size=8), st.integers(0, 4_000_000_000))
def test_every_event_is_a_row_with_all_its_fields(events: list[AnyEvent], at: int) -> None:
    records = [Record(event=event, incarnation=3, host="here", at=at + 0.25, seconds=0.5) for event in events]
    with tempfile.TemporaryDirectory() as folder:
        for name, kinds in TABLES.items():
            with TableFiles(Path(folder) / name, arrow_schema(name, {})) as files:
                for row in event_rows(ATTEMPT, records):
                    if row.table == name:
                        files.add(row.values)
            expected = [
                {
                    **ATTEMPT,
                    "path": event.path,
                    "number": number,
                    "incarnation": 3,
                    "host": "here",
                    "at": datetime.fromtimestamp(at, UTC).replace(microsecond=250_000),
                    "seconds": 0.5,
                    **_flat(event),
                }
                for number, event in enumerate((event for event in events if isinstance(event, kinds)), 1)
            ]
            assert table(Path(folder) / name) == expected


def test_a_prompt_is_its_own_messages_and_its_parent() -> None:
    first = Prompt(user("Go."))
    row = prompt_row({"run": "one", "arm": "react"}, first.extend(assistant("Where?"), user("On.")).node)
    assert row.table == "prompts"
    assert row.values["parent"] == first.node.address
    assert row.values["appended"] == [
        {"role": "assistant", "content": "Where?"},
        {"role": "user", "content": "On."},
    ]
