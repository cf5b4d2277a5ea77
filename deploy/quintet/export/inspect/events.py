"""An episode's records as events and messages of inspect_ai."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, cast

import msgspec
from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent, ToolEvent
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)

from quintet.events import CallMade, Exchanged, Record, StepTaken
from quintet.export.prompt_reader import PromptReader
from quintet.journal.blocks import Block, read_blocks
from quintet.messages.paths import Path, is_within, parent
from quintet.messages.prompts import ChatMessage as PromptMessage
from quintet.ports.model import Completion, Finish, Usage

_StopReason = Literal["stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"]

_STOP_REASONS: Final[dict[Finish, _StopReason]] = {
    "stop": "stop",
    "length": "max_tokens",
    "refusal": "content_filter",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
    "context_full": "model_length",
}
"""Those that are left out have no counterpart: `unknown`."""

_MESSAGES: Final[Mapping[str, type[ChatMessageSystem] | type[ChatMessageUser] | type[ChatMessageAssistant]]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


def moment(seconds: float) -> datetime:
    """A time in UTC."""
    return datetime.fromtimestamp(seconds, UTC)


def iso(seconds: float) -> str:
    """A time as inspect_ai writes it."""
    return moment(seconds).isoformat()


class EpisodeEvents:
    """The events of one episode, whose steps are shown as calls of `tool`, the world's name."""

    def __init__(self, episode: Path, records: Sequence[Record], tool: str) -> None:
        self._episode = episode
        self._tool = tool
        self._prompts = PromptReader(bound=1 << 62)
        for record in records:
            self._prompts.add(record.prompts)
        self._blocks = read_blocks(records)
        self._began = self._blocks[-1].start if self._blocks else 0.0

    def output(self) -> ModelOutput:
        """The last completion of all."""
        calls = [block for block in self._blocks if block.kind == "call"]
        last = max(calls, key=lambda block: block.end, default=None)
        return ModelOutput() if last is None or last.record is None else _output(last.record)

    def list_all(self) -> list[Event]:
        """All events in the order of the conversation; what lies below a path is inside a span of that name."""
        listed: list[Event] = []
        around: list[Block] = []
        for block in self._blocks:
            if block.path == self._episode:
                continue
            while around and not is_within(block.path, around[-1].path):
                listed.append(self._end(around.pop()))
            if block.record is not None and block.kind == "note":
                listed.append(self._info(block.record))
            elif block.record is not None and block.kind in ("call", "step"):
                listed.append(self._leaf(block, block.record))
            else:
                listed.append(self._begin(block))
                around.append(block)
        listed += [self._end(block) for block in reversed(around)]
        own = [block.record for block in self._blocks if block.path == self._episode and block.record is not None]
        return listed + [self._info(record) for record in own if not isinstance(record.event, Exchanged)]

    def _above(self, path: Path) -> str | None:
        above = parent(path)
        return None if path == self._episode or above == self._episode else above

    def _at(self, seconds: float) -> dict[str, Any]:
        return {"timestamp": moment(seconds), "working_start": seconds - self._began}

    def _begin(self, block: Block) -> SpanBeginEvent:
        exchange = cast("Exchanged | None", None if block.record is None else block.record.event)
        name = "branch" if exchange is None else f"{exchange.request}: {exchange.subject}"
        data = None if exchange is None else {"reply": msgspec.json.decode(exchange.reply)}
        return SpanBeginEvent(
            uuid=f"{block.path}#begin",
            span_id=block.path,
            id=block.path,
            parent_id=self._above(block.path),
            type="agent" if exchange is not None and exchange.request == "solve" else None,
            name=name,
            metadata=data,
            **self._at(block.start),
        )

    def _end(self, block: Block) -> SpanEndEvent:
        return SpanEndEvent(
            uuid=f"{block.path}#end",
            span_id=block.path,
            id=block.path,
            **self._at(block.end),
        )

    def _leaf(self, block: Block, record: Record) -> ModelEvent | ToolEvent:
        event = record.event
        took: dict[str, Any] = {**self._at(block.start), "completed": moment(block.end), "working_time": record.seconds}
        if isinstance(event, StepTaken):
            return ToolEvent(
                uuid=block.path,
                span_id=self._above(block.path),
                id=block.path,
                function=self._tool,
                arguments={"action": event.action},
                result=event.observation,
                **took,
                metadata={"reward": event.reward, "done": event.done, "rejected": event.rejected},
            )
        call = cast("CallMade", event)
        sampling = call.sampling
        said = self._prompts.read(call.prompt)
        return ModelEvent(
            uuid=block.path,
            span_id=self._above(block.path),
            model=call.model,
            role=call.phase,
            input=[as_message(each.message, each.address) for each in said],
            tools=[],
            tool_choice="none",
            config=GenerateConfig(
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                max_tokens=sampling.max_tokens,
                stop_seqs=list(sampling.stop) or None,
                seed=sampling.seed,
            ),
            output=_output(record),
            **took,
        )

    def _info(self, record: Record) -> InfoEvent:
        event = record.event
        return InfoEvent(
            uuid=f"{event.path}#{event.kind}",
            span_id=self._above(event.path),
            source=event.kind,
            data=msgspec.to_builtins(event),
            **self._at(record.at),
        )


def as_message(message: PromptMessage, name: str) -> ChatMessage:
    """A message of a prompt, under an id: the same text in the same place has the same one."""
    return _MESSAGES[message.role](id=name, content=message.content)


def _output(record: Record) -> ModelOutput:
    call = cast("CallMade", record.event)
    completion = call.completion
    return ModelOutput(
        model=call.model,
        choices=[
            ChatCompletionChoice(
                message=_answer(completion, f"{call.path}#answer", call.model),
                stop_reason=_STOP_REASONS.get(completion.finish, "unknown"),
            )
        ],
        completion=completion.text,
        usage=model_usage([completion.usage]),
        time=record.seconds,
        metadata={"finish": completion.finish, "fingerprint": completion.fingerprint},
    )


def _answer(completion: Completion, name: str, model: str) -> ChatMessageAssistant:
    parts: list[Content] = [ContentReasoning(reasoning=completion.reasoning), ContentText(text=completion.text)]
    content = parts if completion.reasoning else completion.text
    return ChatMessageAssistant(id=name, content=content, model=model, source="generate")


def model_usage(used: Iterable[Usage], usd: float | None = None) -> ModelUsage:
    """The sum of what calls used. inspect_ai counts cached tokens apart from those of the rest of the prompt."""
    each = list(used)
    prompt, completion = sum(one.prompt_tokens for one in each), sum(one.completion_tokens for one in each)
    cached = sum(min(one.cached_tokens, one.prompt_tokens) for one in each)
    return ModelUsage(
        input_tokens=prompt - cached,
        input_tokens_cache_read=cached,
        output_tokens=completion,
        total_tokens=prompt + completion,
        reasoning_tokens=sum(one.reasoning_tokens for one in each),
        total_cost=usd,
    )
