"""What a span says: its name and its attributes, by the GenAI conventions of OpenTelemetry.

Source: OpenTelemetry semantic conventions, "Generative AI" (in development), as in the Python package
`opentelemetry-semantic-conventions` 0.66. What they have no name for begins with `quintet.`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from quintet.events import CallMade, EpisodeEnded, Exchanged, StepTaken
from quintet.export.prompt_reader import Said
from quintet.journal.blocks import Block
from quintet.messages.paths import attempt_of, episode_of
from quintet.ports.model import Finish
from quintet.runs.record import RunRecord

Attributes: TypeAlias = Mapping[str, str | bool | int | float | Sequence[str]]
"""Of a span; a type that OpenTelemetry takes."""

_FINISH_REASONS: Final[Mapping[Finish, str]] = {"tool_calls": "tool_call", "refusal": "content_filter"}
"""Where the conventions have another word."""


class SpanText(NamedTuple):
    """The name of a span, and what it says."""

    name: str
    attributes: Attributes
    client: bool = False
    """Whether something outside the run answered: a model."""
    error: str = ""
    """Why it failed; empty: it did not."""
    reward: float | None = None
    """Of an episode with a result, in [0, 1]."""


def run_text(record: RunRecord, name: str) -> SpanText:
    """The span of a whole run."""
    shard: Attributes = {} if record.shard is None else {"quintet.shard": record.shard}
    return SpanText(
        f"invoke_workflow {record.method}",
        {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.workflow.name": record.method,
            "quintet.run": name,
            "quintet.environment": record.configuration.environment.name,
            "quintet.models": record.model,
            **shard,
        },
    )


def span_text(block: Block, record: RunRecord, run: str, said: Sequence[Said] | None) -> SpanText:
    """What the span of a block says.

    Args:
        run: the run's name, by which the traces of its episodes are found together.
        said: its prompt, if it is a call and texts are asked for; empty if they are and it is something else. None:
            the span says no text that a person or a model wrote.
    """
    event = None if block.record is None else block.record.event
    common: Attributes = {"quintet.path": block.path}
    match event:
        case CallMade():
            text = _call(event, said)
        case StepTaken():
            text = _step(event, record.configuration.environment.name, content=said is not None)
        case Exchanged():
            text = _exchange(event, record, content=said is not None)
        case _ if block.kind == "branch":
            text = SpanText("branch", {})
        case _:
            text = _episode(block, event if isinstance(event, EpisodeEnded) else None, record, run)
    return text._replace(attributes={**common, **text.attributes})


def _call(event: CallMade, said: Sequence[Said] | None) -> SpanText:
    operation = "embeddings" if event.sampling.embeds else "chat"
    completion, sampling = event.completion, event.sampling
    usage, finish = completion.usage, _FINISH_REASONS.get(completion.finish, completion.finish)
    found: dict[str, Any] = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": "quintet",
        "gen_ai.request.model": event.model,
        "gen_ai.response.model": event.model,
        "gen_ai.request.temperature": sampling.temperature,
        "gen_ai.request.top_p": sampling.top_p,
        "gen_ai.request.max_tokens": sampling.max_tokens,
        "gen_ai.request.stop_sequences": list(sampling.stop),
        "gen_ai.response.finish_reasons": [finish],
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
        "gen_ai.conversation.id": episode_of(event.path),
        "quintet.phase": event.phase,
    }
    if sampling.seed is not None:
        found["gen_ai.request.seed"] = sampling.seed
    if said is not None:
        asked = [_message(each.message.role, each.message.content) for each in said]
        found["gen_ai.input.messages"] = json.dumps(asked)
        found["gen_ai.output.messages"] = json.dumps(
            [{**_message("assistant", completion.text), "finish_reason": finish}]
        )
    return SpanText(f"{operation} {event.model}", found, client=True)


def _message(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def _step(event: StepTaken, world: str, *, content: bool) -> SpanText:
    found: dict[str, Any] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": world,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": event.path,
        "quintet.session": event.session,
        "quintet.reward": event.reward,
        "quintet.done": event.done,
        "quintet.rejected": event.rejected,
    }
    if content:
        found["gen_ai.tool.call.arguments"] = json.dumps({"action": event.action})
        found["gen_ai.tool.call.result"] = event.observation
    return SpanText(f"execute_tool {world}", found)


def _exchange(event: Exchanged, record: RunRecord, *, content: bool) -> SpanText:
    found: dict[str, Any] = {"quintet.request": event.request}
    if content:
        found |= {"quintet.subject": event.subject, "quintet.reply": event.reply}
    if event.request != "solve":
        return SpanText(event.request, found)
    by = msgspec.json.decode(event.reply).get("by", "") or record.configuration.method.name
    found |= {"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "quintet", "gen_ai.agent.name": by}
    return SpanText(f"invoke_agent {by}", found)


def _episode(block: Block, end: EpisodeEnded | None, record: RunRecord, run: str) -> SpanText:
    attempt = attempt_of(block.path)
    found: dict[str, Any] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "quintet",
        "gen_ai.agent.name": record.method,
        "gen_ai.conversation.id": block.path,
        "quintet.run": run,
        "quintet.task": attempt.task,
        "quintet.epoch": attempt.epoch,
        "quintet.attempt": attempt.number,
        "quintet.state": "unfinished" if end is None else end.state,
    }
    if end is None:
        return SpanText(f"invoke_agent {record.method}", found)
    found |= {"quintet.depth": end.depth, "quintet.reason": end.reason}
    if end.claimed is not None:
        found["quintet.claimed"] = end.claimed
    if end.fault is None:
        return SpanText(f"invoke_agent {record.method}", found, reward=end.reward)
    found["error.type"] = end.fault.kind
    return SpanText(f"invoke_agent {record.method}", found, error=end.why)
