"""The exported tables. A field is a column; its annotation gives the column's type and meaning."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints

TABLES_VERSION = 2
"""Increased when a column is removed or changes its type or meaning, but not when one is added."""


class ExportedMessage(TypedDict):
    """One message of a prompt."""

    role: str
    content: str


class RunColumns(TypedDict):
    """Columns of every table."""

    run: Annotated[str, "The run: its folder's name, in a study `STUDY/ARM`"]
    arm: Annotated[str | None, "The study's arm; null outside a study"]


class AttemptColumns(RunColumns):
    """Columns of a row that belongs to an attempt at a task."""

    task: Annotated[str, "The task; `~visit` for requests outside any episode, `~learn` for the learner"]
    epoch: Annotated[int, "Repetition of the task, from 0, each in its own world; the version in a run that learns"]
    attempt: Annotated[int, "Repetition of a faulted epoch, from 0, in the same world with the same seeds"]
    counts: Annotated[bool, "Whether reports count it: the newest attempt at a task that the run is judged by"]


class EpisodeColumns(AttemptColumns):
    """An attempt that began."""

    path: Annotated[str, "`task/epoch/attempt`"]
    incarnation: Annotated[int, "Its newest start, from 1"]
    host: Annotated[str | None, "The host that recorded its end; null if it has not ended"]
    started: Annotated[datetime, "When the newest start began"]
    ended: Annotated[datetime | None, "When it ended; null if it has not"]
    seconds: Annotated[
        float | None, "Duration of all its starts, of a killed one until its last record; null if it has not ended"
    ]
    method: Annotated[str, "The method's name"]
    environment: Annotated[str, "The environment's name"]
    model: Annotated[str, "The model's name as reports show it; a simulated one is marked"]
    metadata: Annotated[dict[str, str], "The environment's metadata of the task, by which reports group"]
    purpose: Annotated[str | None, "`test`, in a run that learns also `training` or `held out`; null without a task"]
    state: Annotated[str, "`solved` or `unsolved` as the method reports it, `faulted`, or `unfinished`"]
    success: Annotated[bool | None, "Whether the reward is 1; null without a result"]
    reward: Annotated[float | None, "In [0, 1]; null without a result"]
    claimed: Annotated[bool | None, "Whether the model claims to have solved the task; null without a claim"]
    depth: Annotated[int | None, "The deepest recursion level, 1 being the task itself; null if it has not ended"]
    calls: Annotated[int, "Model calls"]
    prompt_tokens: Annotated[int, "Tokens of all its prompts"]
    completion_tokens: Annotated[int, "Tokens of all its completions"]
    usd: Annotated[float | None, "Cost of its answered calls; null if it called a model without a price"]
    reason: Annotated[str, "Why the method gave up, or what the fault was; otherwise empty"]
    fault: Annotated[str | None, "The kind of fault; null without a fault"]


class EventColumns(AttemptColumns):
    """Columns of a row that is an event of an attempt."""

    path: Annotated[str, "The event's path: the episode's path, then one number for each level below"]
    number: Annotated[int, "Its position among the attempt's rows of this table, from 1, in order"]
    incarnation: Annotated[int, "The start of the attempt that recorded it, from 1"]
    host: Annotated[str, "The host that recorded it"]
    at: Annotated[datetime, "When it was recorded"]
    seconds: Annotated[float, "How long it took"]


class StepColumns(EventColumns):
    """A world answered an action."""

    session: Annotated[str, "The session of the world"]
    thought: Annotated[str, "The executor's thought before the action; empty if there was none"]
    action: Annotated[str, "The action"]
    observation: Annotated[str, "The world's answer"]
    reward: Annotated[float, "Reward of the step, in [0, 1]"]
    done: Annotated[bool, "Whether the world ended"]
    rejected: Annotated[bool, "Whether the world rejected the action"]


class CompletionColumns(EventColumns):
    """A model was called and answered."""

    model: Annotated[str, "The model's own name; its episode's row shows whether it was simulated"]
    prompt: Annotated[str, "The prompt's address in `prompts`"]
    temperature: Annotated[float, "At least 0; 0 is greedy"]
    top_p: Annotated[float, "In (0, 1]"]
    max_tokens: Annotated[int, "Limit of completion tokens"]
    stop: Annotated[list[str], "Texts that end the completion"]
    seed: Annotated[int | None, "The call's seed; null if it had none"]
    text: Annotated[str, "The completion"]
    reasoning: Annotated[str, "Reasoning that the endpoint returns separately; empty if there is none"]
    finish: Annotated[
        str,
        "`stop`; `length` if it was cut off; or why there is no answer: `refusal`, `content_filter`, `tool_calls`, "
        "`empty`, `not_text` or `context_full`",
    ]
    prompt_tokens: Annotated[int, "Tokens of the prompt, counted by the endpoint"]
    completion_tokens: Annotated[int, "Tokens of the completion"]
    cached_tokens: Annotated[int, "Tokens of the prompt that the endpoint had cached"]
    reasoning_tokens: Annotated[int, "Tokens of the completion spent on reasoning that is not in the text"]
    fingerprint: Annotated[str, "The endpoint's fingerprint of the system that answered; empty if it gives none"]


class DecisionColumns(EventColumns):
    """Something that depended on time, arrival or an operator, and that a replay obeys."""

    kind: Annotated[
        str,
        "`decided` by the method; `branch_ended` first in a race; `refused` by a model; `episode_reported` to a "
        "learner; `cut_short` by a limit; `cancelled` or `requeued` by an operator",
    ]
    question: Annotated[str, "What the method decided; empty for other kinds"]
    answer: Annotated[
        str,
        "`decided`: as JSON; `branch_ended`: the branch's number; `refused`, `cut_short`: why; `episode_reported`, "
        "`requeued`: the attempt that was reported or repeated; `cancelled`: empty",
    ]


class PromptColumns(RunColumns):
    """A prompt, without what it shares with the one that it extends."""

    address: Annotated[str, "Hash of the whole conversation up to its last message"]
    parent: Annotated[str | None, "Address of the prompt that it extends; null if it starts a conversation"]
    appended: Annotated[list[ExportedMessage], "The messages that it adds to its parent, oldest first"]


class VersionColumns(RunColumns):
    """A learner published a version."""

    version: Annotated[int, "From 0, the initial one"]
    text: Annotated[str, "The text that episodes were shown"]
    unchanged: Annotated[bool, "Whether it equals the version before"]
    chosen: Annotated[bool | None, "Whether the learner chose it; null if it has not ended"]
    path: Annotated[str, "Path in the learner's conversation"]
    incarnation: Annotated[int, "The start of the learner that recorded it, from 1"]
    host: Annotated[str, "The host that recorded it"]
    at: Annotated[datetime, "When it was recorded"]


TABLES: Mapping[str, type[Any]] = {
    "episodes": EpisodeColumns,
    "steps": StepColumns,
    "completions": CompletionColumns,
    "decisions": DecisionColumns,
    "prompts": PromptColumns,
    "versions": VersionColumns,
}
"""By name. Any: no type describes a `TypedDict` class."""


class Column(NamedTuple):
    """A column, as its field declares it."""

    name: str
    type: object
    """Of its values other than None."""
    nullable: bool
    meaning: str


def columns(table: str) -> Iterator[Column]:
    """The columns of a table, in order."""
    for name, hint in get_type_hints(TABLES[table], include_extras=True).items():
        kind, meaning = get_args(hint)
        nullable = isinstance(kind, UnionType)
        yield Column(name, get_args(kind)[0] if nullable else kind, nullable, meaning)
