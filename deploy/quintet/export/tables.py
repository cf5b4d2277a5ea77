"""The exported tables: the journal's views with the columns that only a run's record knows.

A class has a table's columns as annotations: type and meaning. The meaning is in `docs/journal.md` too.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, Final, NamedTuple, get_args, get_type_hints

import msgspec
from msgspec import Meta

from quintet.journal.cells import Row

TABLES_VERSION = 6
"""Increased when a column is removed or changes its type or meaning, but not when one is added."""


class EpisodeColumns:
    """An attempt at a task that began."""

    id: Annotated[int, "Its number, in the order in which attempts began"]
    path: Annotated[str, "`task/epoch/attempt`"]
    task: Annotated[str, "The task; `~visit` for requests outside any episode, `~learn` for the learner"]
    epoch: Annotated[int, "Repetition of the task, from 0, each in its own world; the version in a run that learns"]
    attempt: Annotated[
        int, "Repetition of a faulted or interrupted epoch, from 0, in the same world with the same seeds"
    ]
    newest: Annotated[bool, "Whether it is the newest attempt at its task in its epoch"]
    state: Annotated[str, "`solved` or `unsolved` as the method reports it, `faulted`, `interrupted` or `unfinished`"]
    success: Annotated[bool | None, "Whether the reward is 1; null without a result"]
    reward: Annotated[float | None, "In [0, 1]; null without a result"]
    claimed: Annotated[bool | None, "Whether the model claims to have solved the task; null without a claim"]
    depth: Annotated[int | None, "The deepest recursion level, 1 being the task itself; null if it has not ended"]
    steps: Annotated[int, "Actions that a world answered"]
    calls: Annotated[int, "Model calls"]
    prompt_tokens: Annotated[int, "Tokens of all its prompts"]
    cached_tokens: Annotated[int, "Those of them that the endpoint had cached"]
    completion_tokens: Annotated[int, "Tokens of all its completions"]
    usd: Annotated[float | None, "Cost of its answered calls; null if it called a model without a price"]
    incarnation: Annotated[int, "Its newest start, from 1"]
    host: Annotated[str | None, "The host that recorded its end; null if it has not ended"]
    started: Annotated[datetime, "When the newest start began"]
    ended: Annotated[datetime | None, "When it ended; null if it has not"]
    seconds: Annotated[
        float | None, "Duration of all its starts, of a killed one until its last record; null if it has not ended"
    ]
    reason: Annotated[str, "Why the method gave up, or what cut the episode short; otherwise empty"]
    fault: Annotated[str | None, "The fault as JSON: `kind`, `text` and `detail`; null without a fault"]
    cancelled: Annotated[bool | None, "Whether an operator ended it; null if it has not ended"]
    figures: Annotated[
        str | None,
        "Further figures by name as JSON, each in [0, 1]: those of the last step with the episode's reward; null if "
        "there are none",
    ]


class UsageColumns:
    """What an episode's answered calls to one model used in one phase."""

    episode: Annotated[int, "The episode's `id`"]
    model: Annotated[str, "The model's own name"]
    phase: Annotated[str, "What the calls were for; see `calls`"]
    calls: Annotated[int, "Calls"]
    prompt_tokens: Annotated[int, "Tokens of all prompts"]
    cached_tokens: Annotated[int, "Those of them that the endpoint had cached"]
    completion_tokens: Annotated[int, "Tokens of all completions"]
    usd: Annotated[float | None, "Cost; null for a model without a price"]
    bounded: Annotated[int, "Calls whose completion was cut to bounds, or that reported impossible token counts"]
    unanswered: Annotated[str | None, "Calls by `finish` as JSON, other than by `stop`; null if there are none"]


class EventColumns:
    """Something that happened in an attempt."""

    id: Annotated[int, "Unique in the run; within an episode, in the order of commits"]
    episode: Annotated[int, "The episode's `id`"]
    path: Annotated[str, "The episode's path, then one number for each level below"]
    incarnation: Annotated[int, "The start of the attempt that recorded it, from 1"]
    host: Annotated[str, "Where it happened: the host that called the model, held the session or answered"]
    at: Annotated[datetime, "When it was recorded"]
    seconds: Annotated[float, "How long it took"]


class CallColumns(EventColumns):
    """A model was called and answered."""

    model: Annotated[str, "The model's own name"]
    phase: Annotated[
        str,
        "What it was for: a phase of the method, such as `candidates`; otherwise the request; of an inner method, "
        "after its name",
    ]
    prompt: Annotated[int | None, "The last message of its prompt, in `prompts`; null without a prompt"]
    completion: Annotated[str, "The completion"]
    reasoning: Annotated[str, "Reasoning that the endpoint returns separately; empty if there is none"]
    finish: Annotated[
        str,
        "`stop`; `length` if it was cut off; or why there is no answer: `refusal`, `content_filter`, `tool_calls`, "
        "`empty`, `not_text` or `context_full`",
    ]
    prompt_tokens: Annotated[int, "Tokens of the prompt, counted by the endpoint"]
    cached_tokens: Annotated[int, "Tokens of the prompt that the endpoint had cached"]
    completion_tokens: Annotated[int, "Tokens of the completion"]
    reasoning_tokens: Annotated[int, "Tokens of the completion spent on reasoning that is not in the text"]
    bounded: Annotated[bool, "Whether the completion was cut to bounds, or reported impossible token counts"]
    temperature: Annotated[float, "At least 0; 0 is greedy"]
    top_p: Annotated[float, "In (0, 1]"]
    max_tokens: Annotated[int, "Limit of completion tokens"]
    stop: Annotated[str, "Texts that end the completion, as JSON"]
    seed: Annotated[int | None, "The call's seed; null if it had none"]
    form: Annotated[str | None, "The form of answer that was requested of the endpoint; null if none was"]
    fingerprint: Annotated[str, "The endpoint's fingerprint of the system that answered; empty if it gives none"]


class SessionColumns(EventColumns):
    """A session of a world was opened or copied."""

    session: Annotated[str, "The session"]
    origin: Annotated[str | None, "The session that it is a copy of; null if it was opened"]
    observation: Annotated[str, "What the world shows first; empty for a copy"]


class StepColumns(EventColumns):
    """A world answered an action."""

    session: Annotated[str, "The session of the world"]
    thought: Annotated[str, "The executor's thought before the action; empty if there was none"]
    action: Annotated[str, "The action"]
    observation: Annotated[str, "The world's answer"]
    reward: Annotated[float, "Reward of the step, in [0, 1]"]
    done: Annotated[bool, "Whether the world ended"]
    rejected: Annotated[bool, "Whether the world rejected the action"]
    lasting: Annotated[bool, "Whether going back does not undo it"]
    figures: Annotated[str | None, "Further figures by name as JSON, each in [0, 1]; null if there are none"]


class NodeColumns(EventColumns):
    """How a node of a search tree stands, by its last event."""

    tree: Annotated[str, "The path of the request that grows the tree"]
    node: Annotated[int, "From 0, the root"]
    parent: Annotated[int | None, "The parent; null at the root"]
    action: Annotated[str, "The action that leads to it; empty at the root"]
    session: Annotated[str | None, "The session that is at it; null if there is none"]
    value: Annotated[float | None, "Its value, in [0, 1]; null if there is none"]
    confidence: Annotated[float | None, "The model's confidence in its action, in [0, 1]; null if there is none"]
    visits: Annotated[int, "How often the search came through it"]
    reward: Annotated[float, "Reward of the world, in [0, 1]"]
    standing: Annotated[str, "`open`, `pruned`, or `chosen`: on the path that the search goes on with"]
    adjusted: Annotated[bool, "Whether its confidence had to be normalised"]


class TrialColumns(EventColumns):
    """A method ended one of its trials of a task."""

    solve: Annotated[str, "The path of the request whose method makes the trials"]
    method: Annotated[str, "That method's name in the run; empty for the outermost one"]
    number: Annotated[int, "From 1"]
    actions: Annotated[int, "Actions that the world answered in it, those that were gone back on too"]
    reward: Annotated[float, "Reward of the world where the trial ended, in [0, 1]"]
    steps: Annotated[int, "Steps of the plan that it followed; 0 if it followed none"]
    revised: Annotated[bool, "Whether the plan was made after another plan of the task had failed"]


class RecallColumns(EventColumns):
    """Tuples of a memory were recalled."""

    version: Annotated[int, "The version of the memory"]
    batch: Annotated[int, "The batch memory, from 1"]
    ids: Annotated[str, "The tuples, as JSON, in the order in which they were shown"]
    goal_type: Annotated[int | None, "The type of the goal; null if nothing was found, or no type was asked for"]
    observation_type: Annotated[int | None, "The type of the observation, likewise"]
    failed: Annotated[str, "Why no type was found, if that is why nothing was recalled; else empty"]


class ExchangeColumns(EventColumns):
    """A planner, executor, reflector, learner or subtask answered a request."""

    request: Annotated[str, "The request, such as `execute`"]
    subject: Annotated[str, "What it is about, such as the goal"]
    session: Annotated[str | None, "The session that the reply names; null if it names none"]
    reply: Annotated[str, "The reply as JSON, without what its steps say; `by`: the inner method that was asked"]


class DecisionColumns(EventColumns):
    """Something that depended on time, arrival or an operator, and that a replay obeys."""

    kind: Annotated[
        str,
        "`decided` by the method; `branch_ended`, and its method took that end; `branch_stopped` before that; "
        "`refused` by a model; `episode_reported` to a learner; `cut_short` by a limit; `cancelled` or `requeued` by "
        "an operator",
    ]
    content: Annotated[
        str,
        "JSON. `decided`: `question` and `answer`; `branch_ended`: its `place` among the ends of its group; `refused`: "
        "`reason`; `cut_short`: `reason` and the `offer` that it ended with, or null; `episode_reported`: `attempt`; "
        "`requeued`: the attempt that it `repeats`",
    ]


class VersionColumns(EventColumns):
    """A learner published a version."""

    version: Annotated[int, "From 0, the initial one"]
    text: Annotated[str, "The text that episodes were shown"]
    unchanged: Annotated[bool, "Whether it equals the version before"]
    chosen: Annotated[bool | None, "Whether the learner chose it; null if it has not ended"]


class PromptColumns:
    """A message of a prompt. It follows its parent, so prompts share the messages that they begin with."""

    id: Annotated[int, "The message, and the prompt that ends with it"]
    parent: Annotated[int | None, "The message before it; null for the first"]
    role: Annotated[str, "`system`, `user` or `assistant`"]
    content: Annotated[str, "The text"]


EXPORTED_TABLES: Mapping[str, type] = {
    "episodes": EpisodeColumns,
    "usage": UsageColumns,
    "calls": CallColumns,
    "sessions": SessionColumns,
    "steps": StepColumns,
    "nodes": NodeColumns,
    "trials": TrialColumns,
    "recalls": RecallColumns,
    "exchanges": ExchangeColumns,
    "decisions": DecisionColumns,
    "versions": VersionColumns,
    "prompts": PromptColumns,
}
"""By the name of the view."""


class RunColumns:
    """Columns that every exported table begins with."""

    run: Annotated[str, "The run: its folder's name, in a study `STUDY/ARM`"]
    arm: Annotated[str | None, "The study's arm; null outside a study"]


class RecordColumns:
    """Columns that the exported table of episodes ends with."""

    counts: Annotated[bool, "Whether reports count it: the newest attempt at a task that the run is judged by"]
    method: Annotated[str, "The method with its inner ones, and what it is shown: `OUTER(INNER) + memory v3`"]
    environment: Annotated[str, "The environment's name"]
    models: Annotated[str, "The run's models as reports show them; a simulated one is marked"]
    metadata: Annotated[dict[str, str], "The environment's metadata of the task, by which reports group"]
    purpose: Annotated[str | None, "`test`, in a run that learns also `training` or `held out`; null without a task"]


class Column(NamedTuple):
    """A column."""

    name: str
    type: object
    """Of its values other than None."""
    nullable: bool
    meaning: str


def columns(declared: type) -> list[Column]:
    """The columns that a class declares, in order."""
    found: list[Column] = []
    for name, hint in get_type_hints(declared, include_extras=True).items():
        kind, meaning = get_args(hint)
        nullable = isinstance(kind, UnionType)
        found.append(Column(name, get_args(kind)[0] if nullable else kind, nullable, meaning))
    return found


def exported(table: str) -> list[Column]:
    """The columns of an exported table, in order."""
    added = columns(RecordColumns) if table == "episodes" else []
    return [*columns(RunColumns), *columns(EXPORTED_TABLES[table]), *added]


_Time = Annotated[float, Meta(ge=-62_000_000_000, le=250_000_000_000)]
"""Seconds since the Unix epoch, in the years that Python can show."""
_IN_VIEWS: Final[Mapping[object, Any]] = {bool: Annotated[int, Meta(ge=0, le=1)], datetime: _Time}
"""The types of values in a view that differ from those of an export."""


class ViewQuery:
    """Reads a view: the query for its rows, and their types.

    Args:
        name: of the view.
    """

    def __init__(self, name: str) -> None:
        declared = columns(EXPORTED_TABLES[name])
        first = declared[0].name
        self.query = (
            f"SELECT {', '.join(each.name for each in declared)} FROM {name} WHERE {first} >= ? ORDER BY {first}"
        )
        """Its rows from one on, by its first column."""
        types: list[Any] = [_IN_VIEWS.get(each.type, each.type) for each in declared]
        row = tuple(kind | None if each.nullable else kind for kind, each in zip(types, declared, strict=True))
        self._rows: Any = list[tuple.__class_getitem__(row)]  # type: ignore[misc]

    def check(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows, whose values have the types of their columns.

        Raises:
            msgspec.ValidationError: one has another.
        """
        checked: Sequence[Row] = msgspec.convert(rows, self._rows)
        return checked
