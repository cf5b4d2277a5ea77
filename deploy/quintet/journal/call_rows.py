"""Rows of model calls, as they are read."""

from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.events import CallMade
from quintet.journal.cells import Count, Flag, Row, event_query, read_text
from quintet.journal.codes import FINISHES
from quintet.journal.prompt_messages import PromptMessages
from quintet.messages.paths import Path
from quintet.messages.prompts import PromptAddress, PromptNode
from quintet.ports.model import Completion, Sampling, Usage

SELECT_CALLS: Final = event_query(
    "_calls",
    f"""model.name, phase.name, settings.fingerprint, settings.temperature, settings.top_p,
    settings.max_tokens, settings.stop, settings.form, event.seed, event.prompt,
    {read_text("event.completion")}, {read_text("event.reasoning")}, event.finish, event.prompt_tokens,
    event.cached_tokens, event.completion_tokens, event.reasoning_tokens, event.bounded""",
    """LEFT JOIN _settings AS settings ON settings.id = event.settings
    LEFT JOIN _models AS model ON model.id = settings.model
    LEFT JOIN _phases AS phase ON phase.id = settings.phase""",
)


class CallRow(NamedTuple):
    """A row of `_calls`."""

    model: str
    phase: str
    fingerprint: str
    temperature: float
    top_p: float
    max_tokens: int
    stop: str
    form: str | None
    seed: int | None
    prompt: Count
    text: str
    reasoning: str
    finish: Annotated[int, Meta(ge=0, lt=len(FINISHES))]
    prompt_tokens: Count
    cached_tokens: Count
    completion_tokens: Count
    reasoning_tokens: Count
    bounded: Flag


def decode_call(path: Path, columns: Row, prompts: PromptMessages) -> tuple[CallMade, tuple[PromptNode, ...]]:
    """A call, and what is new of its prompt."""
    row = msgspec.convert(columns, CallRow)
    if row.prompt and row.prompt not in prompts.nodes:
        raise msgspec.ValidationError(f"expected message {row.prompt}, got none")
    node = prompts.take(row.prompt) if row.prompt else None
    event = CallMade(
        path=path,
        model=row.model,
        prompt=PromptAddress("") if node is None else node.address,
        sampling=msgspec.convert(
            {
                "temperature": row.temperature,
                "top_p": row.top_p,
                "max_tokens": row.max_tokens,
                "stop": msgspec.json.decode(row.stop),
                "seed": row.seed,
                "form": row.form,
            },
            Sampling,
        ),
        completion=Completion(
            text=row.text,
            finish=FINISHES[row.finish],
            usage=Usage(
                prompt_tokens=row.prompt_tokens,
                completion_tokens=row.completion_tokens,
                cached_tokens=row.cached_tokens,
                reasoning_tokens=row.reasoning_tokens,
            ),
            reasoning=row.reasoning,
            fingerprint=row.fingerprint,
        ),
        bounded=bool(row.bounded),
        phase=row.phase,
    )
    return event, () if node is None else (node,)
