"""An event as the parts of an ATIF step, and back. What has no place in the schema is in `extra`, under one key.

A model call is an agent step. A step of the world is a tool call with its observation, and so is a request that a role
or a subtask answered. Any other event is a system step.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple, cast

import msgspec
from atif import (
    ContentPart,
    ImageSource,
    Metrics,
    Observation,
    ObservationResult,
    Step,
    SubagentTrajectoryRef,
    ToolCall,
)

from quintet.atif.tools import ActionCall, ToolDefinitions
from quintet.events import CallMade, Exchanged, Record, SessionOpened, StepTaken
from quintet.messages.execution import Turn
from quintet.messages.prompts import PromptAddress
from quintet.ports.model import Completion
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs, unpack_ids, unpack_logprobs

KEY: Final = "quintet"
"""Of `extra`, wherever it stands."""

_CIRCUMSTANCES: Final = ("incarnation", "host", "seconds")
"""What a record says beside its event and its time."""

COUNTED: Final = ("prompt_tokens", "completion_tokens", "cached_tokens")
"""Of the metrics of a call."""

_EARLIEST, _LATEST = -62_000_000_000, 250_000_000_000
"""Of the times that Python can show; a damaged journal may say any."""


class ContextMessage(NamedTuple):
    """A step that is a message of a prompt, and no event."""

    after: PromptAddress | None
    """The conversation that it continues."""
    role: str
    content: str


def instant(seconds: float) -> str:
    """A time since the Unix epoch as ATIF writes it, to the millisecond, as the journal keeps it."""
    return datetime.fromtimestamp(min(max(seconds, _EARLIEST), _LATEST), UTC).isoformat(timespec="milliseconds")


def seconds_of(instant: str | None) -> float | None:
    """The seconds since the Unix epoch, to the millisecond; None: there is no time. One without a zone is UTC."""
    if instant is None:
        return None
    found = datetime.fromisoformat(instant)
    return round((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000) / 1000


_fields_of = cache(msgspec.structs.fields)
"""It evaluates annotations anew each time, which took a third of an export."""


def non_defaults(struct: msgspec.Struct, *but: str) -> dict[str, Any]:
    """The fields that are no defaults, as JSON has them, but for some."""
    found: dict[str, Any] = {}
    for field in _fields_of(type(struct)):
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        value = getattr(struct, field.name)
        if field.name not in but and (field.required or value != default):
            found[field.name] = msgspec.to_builtins(value)
    return found


def extra_of(record: Record, *placed: str, **more: Any) -> dict[str, Any]:
    """The `extra` of an event: its tag, its fields but those that have a place, and how its record was written."""
    written = {
        name: value for name, value in non_defaults(record, "event", "prompts").items() if name in _CIRCUMSTANCES
    }
    return {KEY: {"type": record.event.kind, **non_defaults(record.event, *placed), **written, **more}}


def call_step(record: Record, call: CallMade, cost: float | None, tools: ToolDefinitions) -> dict[str, Any]:
    """The fields of the step of a model call; `cost` in USD, None: the model has no price."""
    completion, usage = call.completion, call.completion.usage
    placed = ("text", "reasoning", "usage", "tokens", "tool_answer")
    rest = non_defaults(completion, *placed) | non_defaults(usage, *COUNTED)
    if completion.tool_answer is not None:
        rest["tool_answer"] = tools.write(completion.tool_answer)
    return {
        "source": "agent",
        "timestamp": instant(record.at),
        "model_name": call.model,
        "message": completion.text,
        "reasoning_content": completion.reasoning or None,
        "metrics": call_metrics(call, cost),
        "llm_call_count": 1,
        "extra": extra_of(record, "model", "completion", completion=rest),
    }


def call_metrics(call: CallMade, cost: float | None) -> Metrics:
    """What a call used, and its tokens where they are journaled."""
    counts = {name: getattr(call.completion.usage, name) for name in COUNTED}
    if (tokens := call.completion.tokens) is None:
        return Metrics(**counts, cost_usd=cost)
    return Metrics(
        **counts,
        cost_usd=cost,
        prompt_token_ids=unpack_ids(tokens.prompt),
        completion_token_ids=unpack_ids(tokens.completion),
        logprobs=unpack_logprobs(tokens.logprobs),
    )


def tokens_of(metrics: Metrics) -> CallTokens | None:
    """The tokens of a call; None: there are none, or not all of them.

    Raises:
        ValueError: there is not one log-probability for each token of the completion.
        OverflowError: an id or a log-probability cannot be packed.
    """
    prompt, drawn, logprobs = metrics.prompt_token_ids, metrics.completion_token_ids, metrics.logprobs
    if prompt is None or drawn is None or logprobs is None:
        return None
    return CallTokens(prompt=pack_ids(prompt), completion=pack_ids(drawn), logprobs=pack_logprobs(logprobs))


def world_tool(world: str) -> dict[str, Any]:
    """The definition of the tool that a world's actions are calls of."""
    action = {"type": "string", "description": "As the world reads it."}
    parameters = {"type": "object", "properties": {"action": action}, "required": ["action"]}
    function = {"name": world, "description": f"Act in {world}.", "parameters": parameters}
    return {"type": "function", "function": function}


def action_parts(
    record: Record, step: StepTaken, world: str, picture: str | None = None, made: ActionCall | None = None
) -> tuple[ToolCall, ObservationResult]:
    """A step of the world as a call of a tool, and what it answered and showed.

    Args:
        picture: a file.
        made: the call that the action is; None: the tool is `world`, which takes the action as text.
    """
    extra = extra_of(record, *([] if made else ["action"]), "observation", at=instant(record.at))
    tool, arguments = made or (world, {"action": step.action})
    return (
        ToolCall(tool_call_id=step.path, function_name=tool, arguments=arguments, extra=extra),
        ObservationResult(source_call_id=step.path, content=_shown(step.observation, picture)),
    )


def request_parts(
    record: Record, exchange: Exchanged, turns: Sequence[Sequence[object]], sub: str | None
) -> tuple[ToolCall, ObservationResult]:
    """A request as a call of a tool of its name, whose observation is the reply as JSON.

    Args:
        turns: those of an episode's own answer; see `Texts`.
        sub: the id of the trajectory of what the request did; None: its steps follow.
    """
    more = {"turns": turns} if turns else {}
    extra = extra_of(record, "request", "subject", "reply", "turns", at=instant(record.at), **more)
    arguments = {"subject": exchange.subject}
    call = ToolCall(tool_call_id=exchange.path, function_name=exchange.request, arguments=arguments, extra=extra)
    return call, ObservationResult(
        source_call_id=exchange.path, content=exchange.reply, subagent_trajectory_ref=reference(sub)
    )


def reference(sub: str | None) -> list[SubagentTrajectoryRef] | None:
    """The reference to an embedded trajectory."""
    return None if sub is None else [SubagentTrajectoryRef(trajectory_id=sub)]


def dispatch_step(record: Record, parts: tuple[ToolCall, ObservationResult]) -> dict[str, Any]:
    """The fields of a step that asks a tool without asking a model."""
    call, result = parts
    return {
        "source": "agent",
        "timestamp": instant(record.at),
        "message": "",
        "tool_calls": [call],
        "observation": Observation(results=[result]),
        "llm_call_count": 0,
    }


def _shown(text: str | None, picture: str | None) -> Any:
    """What a world says and shows, as the content of an observation; None: neither."""
    if picture is None:
        return text
    said = [] if text is None else [ContentPart(type="text", text=text)]
    return [*said, ContentPart(type="image", source=ImageSource(media_type="image/jpeg", path=picture))]


def note_step(record: Record, said: str, picture: str | None = None) -> dict[str, Any]:
    """The fields of the step of another event; `said` is what a transcript says of it, `picture` a file."""
    event = record.event
    text = event.observation if isinstance(event, SessionOpened) else None
    shown = _shown(text, picture)
    return {
        "source": "system",
        "timestamp": instant(record.at),
        "message": said,
        "observation": None if shown is None else Observation(results=[ObservationResult(content=shown)]),
        "extra": extra_of(record, *([] if text is None else ["observation"])),
    }


def message_step(role: str, content: str, after: PromptAddress | None) -> dict[str, Any]:
    """The fields of the step of a message in a prompt; one of the model's own was said elsewhere, and is a copy."""
    copied = role == "assistant"
    return {
        "source": "agent" if copied else role,
        "message": content,
        "is_copied_context": copied or None,
        "extra": {KEY: {"after": after}},
    }


class Texts:
    """What completions and observations say, by the path of their event: the turns of an answer name most of them."""

    def __init__(self) -> None:
        self._by_path: dict[str, str] = {}
        self._paths: dict[str, str] = {}

    def add(self, record: Record) -> None:
        """Add those of an event."""
        match record.event:
            case CallMade(path=path, completion=Completion(text=text)) | StepTaken(path=path, observation=text):
                self._by_path[path] = text
                self._paths.setdefault(text, path)
            case _:
                pass

    def write(self, turns: Iterable[Turn]) -> list[list[object]]:
        """Turns as pairs: the path at which each text was said, or the text in a list where that is none."""
        return [[self._paths.get(text, [text]) for text in (turn.completion, turn.observation)] for turn in turns]

    def read(self, turns: Iterable[Sequence[str | Sequence[str]]]) -> list[dict[str, str]]:
        """The reverse, as JSON has turns; a `KeyError` for a path at which nothing was said."""
        said = ([self._by_path[each] if isinstance(each, str) else each[0] for each in pair] for pair in turns)
        return [{"completion": completion, "observation": observation} for completion, observation in said]


def read_step(step: Step, texts: Texts, tools: ToolDefinitions) -> Iterator[Record | ContextMessage]:
    """The events of a step that we wrote, or its message.

    Args:
        texts: those said before it.
        tools: of its trajectory.

    Raises:
        ValueError: it lacks what we write, or has another type.
    """
    own = _own(step.extra)
    if "after" in own:
        after = cast("PromptAddress | None", own["after"])
        role = "assistant" if step.source == "agent" else step.source
        yield ContextMessage(after, role, text_of(step.message))
    elif step.source == "agent":
        if own:
            yield _read_call(step, own, tools)
        results = {} if step.observation is None else {each.source_call_id: each for each in step.observation.results}
        for call in step.tool_calls or ():
            yield _read_tool_call(call, results[call.tool_call_id], texts)
    elif own:
        placed: dict[str, Any] = {}
        if own.get("type") == SessionOpened.kind and step.observation is not None:
            placed["observation"] = text_of(step.observation.results[0].content)
        yield _record(own, placed, step.timestamp)


def _own(extra: Mapping[str, Any] | None) -> dict[str, Any]:
    own = (extra or {}).get(KEY, {})
    if not isinstance(own, dict):
        raise TypeError(f"extra.{KEY}: expected an object, got {own!r:.60}")
    return dict(cast("dict[str, Any]", own))


def _read_call(step: Step, own: dict[str, Any], tools: ToolDefinitions) -> Record:
    metrics = step.metrics or Metrics()
    counts = metrics.model_dump(include=set(COUNTED), exclude_none=True)
    rest: dict[str, Any] = {**own.pop("completion", {})}
    if "tool_answer" in rest:
        rest["tool_answer"] = tools.read(rest["tool_answer"])
    usage = {**counts, **({"reasoning_tokens": rest.pop("reasoning_tokens")} if "reasoning_tokens" in rest else {})}
    said = {"text": text_of(step.message), "reasoning": step.reasoning_content or ""}
    completion = {**rest, **said, "usage": usage, "tokens": tokens_of(metrics)}
    return _record(own, {"model": step.model_name, "completion": completion}, step.timestamp)


def _read_tool_call(call: ToolCall, result: ObservationResult, texts: Texts) -> Record:
    own = _own(call.extra)
    answer = text_of(result.content)
    if own.get("type") == StepTaken.kind:
        action = own["action"] if "action" in own else call.arguments["action"]
        placed: dict[str, Any] = {"action": action, "observation": answer}
    else:
        placed = {"request": call.function_name, "subject": call.arguments["subject"], "reply": answer}
        placed["turns"] = texts.read(own.get("turns", ()))
    return _record(own, placed, own.pop("at", None))


def text_of(content: Any) -> str:
    """A text, also one beside a picture; a `TypeError` if it is none."""
    if isinstance(content, list):
        content = next((part.text for part in cast("list[ContentPart]", content) if part.text is not None), None)
    if not isinstance(content, str):
        raise TypeError(f"expected a text, got {content!r:.60}")
    return content


def _record(own: Mapping[str, Any], placed: Mapping[str, Any], at: str | None) -> Record:
    written = {name: own[name] for name in _CIRCUMSTANCES if name in own}
    fields = {name: value for name, value in own.items() if name not in _CIRCUMSTANCES}
    return msgspec.convert({**written, "at": seconds_of(at) or 0.0, "event": {**fields, **placed}}, Record)
