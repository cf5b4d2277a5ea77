"""The tables of an export. A field is a column: its annotation is the column's type, and says what it means."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints

VERSION = 2
"""Of the tables: raised when a column goes or changes its type or meaning, but not for a new one."""


class Message(TypedDict):
    """One message of a prompt."""

    role: str
    content: str


class OfRun(TypedDict):
    """What every row says."""

    run: Annotated[str, "The run: its folder's name, in a study `STUDY/ARM`"]
    arm: Annotated[str | None, "The study's arm; null outside a study"]


class OfAttempt(OfRun):
    """What a row says that belongs to an attempt at a task."""

    task: Annotated[str, "The task; `~visit` for what was asked from outside any episode, `~learn` for the learner"]
    epoch: Annotated[int, "Repetition of the task, from 0, each a world of its own; in a run that learns, the version"]
    attempt: Annotated[int, "Repetition of a faulted epoch, from 0; the same world, the same seeds"]
    counts: Annotated[bool, "Whether reports count it: the newest attempt at a task that the run is judged by"]


class EpisodeRow(OfAttempt):
    """An attempt that began."""

    path: Annotated[str, "`task/epoch/attempt`"]
    incarnation: Annotated[int, "Its newest start, from 1"]
    host: Annotated[str | None, "The host that wrote its end; null where it did not end"]
    started: Annotated[datetime, "When the newest start began"]
    ended: Annotated[datetime | None, "When it ended; null where it did not"]
    seconds: Annotated[
        float | None, "How long all its starts took, a killed one until its last record; null where it did not end"
    ]
    method: Annotated[str, "The method's name"]
    environment: Annotated[str, "The environment's name"]
    model: Annotated[str, "The model's name, as reports show it; one that is simulated says so"]
    metadata: Annotated[dict[str, str], "What the environment says of the task, and reports group by"]
    purpose: Annotated[str | None, "`test`, or where a run learns also `training` or `held out`; null for no task"]
    state: Annotated[str, "`solved` or `unsolved` by the method's own account, `faulted`, or `unfinished`"]
    success: Annotated[bool | None, "Whether the reward was earned in full; null without a result"]
    reward: Annotated[float | None, "In [0, 1]; null without a result"]
    claimed: Annotated[bool | None, "The model's own claim about the task; null where it made none"]
    depth: Annotated[int | None, "The deepest recursion level, 1 being the task itself; null where it did not end"]
    calls: Annotated[int, "Model calls"]
    prompt_tokens: Annotated[int, "Tokens of all its prompts"]
    completion_tokens: Annotated[int, "Tokens of all its completions"]
    usd: Annotated[float | None, "What its answered calls cost; null where a model that it called has no price"]
    reason: Annotated[str, "Why the method gave up, or what the fault was; else empty"]
    fault: Annotated[str | None, "The kind of fault; null where none ended it"]


class EventRow(OfAttempt):
    """What a row says that is an event of its attempt."""

    path: Annotated[str, "Where in the conversations: the episode's path, then a number for each thing below"]
    number: Annotated[int, "Its place among the attempt's rows of this table, from 1, as the conversation went"]
    incarnation: Annotated[int, "The start of the attempt that wrote it, from 1"]
    host: Annotated[str, "The host that wrote it"]
    at: Annotated[datetime, "When it was written"]
    seconds: Annotated[float, "How long it took"]


class StepRow(EventRow):
    """A world answered an action."""

    session: Annotated[str, "The session of the world that was acted in"]
    thought: Annotated[str, "The executor's thought before the action; empty where it had none"]
    action: Annotated[str, "What was done"]
    observation: Annotated[str, "What the world answered"]
    reward: Annotated[float, "What the step earned, in [0, 1]"]
    done: Annotated[bool, "Whether the world was over"]
    rejected: Annotated[bool, "Whether the world did not accept the action"]


class CompletionRow(EventRow):
    """A model was called and answered."""

    model: Annotated[str, "The model's name, as it calls itself; whether it was simulated, its episode says"]
    prompt: Annotated[str, "The prompt's address in `prompts`"]
    temperature: Annotated[float, "At least 0; 0 is greedy"]
    top_p: Annotated[float, "In (0, 1]"]
    max_tokens: Annotated[int, "The most tokens that were allowed"]
    stop: Annotated[list[str], "Texts that end the completion"]
    seed: Annotated[int | None, "The call's own seed; null where it had none"]
    text: Annotated[str, "What the model answered"]
    reasoning: Annotated[str, "Reasoning that the endpoint keeps apart; empty where there is none"]
    finish: Annotated[
        str,
        "`stop`; `length` where it was cut off; or why there is no answer: `refusal`, `content_filter`, `tool_calls`, "
        "`empty`, `not_text` or `context_full`",
    ]
    prompt_tokens: Annotated[int, "Tokens of the prompt, as the endpoint counts them"]
    completion_tokens: Annotated[int, "Tokens of the completion"]
    cached_tokens: Annotated[int, "Of the prompt's, how many the endpoint had cached"]
    reasoning_tokens: Annotated[int, "Of the completion's, how many were spent on reasoning that is not in the text"]
    fingerprint: Annotated[str, "What the endpoint calls the system that answered; empty where it says nothing"]


class DecisionRow(EventRow):
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


class PromptRow(OfRun):
    """A prompt, without what it shares with the one that it extends."""

    address: Annotated[str, "The hash of the whole conversation up to its last message"]
    parent: Annotated[str | None, "The address of the prompt that it extends; null where it begins a conversation"]
    appended: Annotated[list[Message], "The messages it adds to its parent's, oldest first"]


class VersionRow(OfRun):
    """A learner published a version."""

    version: Annotated[int, "From 0, what it began with"]
    text: Annotated[str, "What episodes were shown of it"]
    unchanged: Annotated[bool, "Whether it says what the version before said"]
    chosen: Annotated[bool | None, "Whether the learner stands by it; null before it says so"]
    path: Annotated[str, "Where in the learner's conversation"]
    incarnation: Annotated[int, "The start of the learner that wrote it, from 1"]
    host: Annotated[str, "The host that wrote it"]
    at: Annotated[datetime, "When it was written"]


TABLES: Mapping[str, type[Any]] = {
    "episodes": EpisodeRow,
    "steps": StepRow,
    "completions": CompletionRow,
    "decisions": DecisionRow,
    "prompts": PromptRow,
    "versions": VersionRow,
}
"""By name; Any, since a table is a `TypedDict`, which no type describes."""


class Column(NamedTuple):
    """A column as its field declares it."""

    name: str
    type: object
    """Of its values, but for None."""
    nullable: bool
    meaning: str


def columns(table: str) -> Iterator[Column]:
    """The columns of a table, in order."""
    for name, hint in get_type_hints(TABLES[table], include_extras=True).items():
        kind, meaning = get_args(hint)
        nullable = isinstance(kind, UnionType)
        yield Column(name, get_args(kind)[0] if nullable else kind, nullable, meaning)
