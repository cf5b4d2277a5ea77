"""OpenAI's Responses: what is sent and answered, and the encrypted reasoning that goes from turn to turn."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress, address_of
from quintet.messages.tools import ToolAnswer
from quintet.models.completion import cut_at_stop
from quintet.models.endpoint.answer import UnreadableBody, error_text
from quintet.models.endpoint.family import ModelFamily
from quintet.models.endpoint.tool_calls import offer_of
from quintet.ports.model import Completion, Finish, Sampling, Usage
from quintet.questions.shape import response_format

RESPONSES_ROUTE: Final = "/responses"
_KEPT: Final = 10_000
"""Completions whose reasoning is kept."""


class _Details(Struct):
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class _Usage(Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_details: _Details | None = None
    output_tokens_details: _Details | None = None


class _Answer(Struct):
    output: list[dict[str, Any]]
    status: str | None = None
    incomplete_details: dict[str, Any] | None = None
    error: Any = None
    usage: msgspec.Raw = msgspec.Raw(b"null")


_answers = msgspec.json.Decoder(_Answer)
_usages = msgspec.json.Decoder(_Usage | None)
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, AttributeError, TypeError, ValueError)
"""Items are dictionaries, of which nothing else is known."""


class Responses:
    """The dialect for one model.

    Args:
        family: of the model.
        calls_tools: whether an answer of a shape is a call of a tool; else it is JSON.
    """

    def __init__(self, model: str, family: ModelFamily, *, calls_tools: bool) -> None:
        self._model = model
        self._family = family
        self._calls_tools = calls_tools
        self._kept: OrderedDict[PromptAddress, list[tuple[str, list[dict[str, Any]]]]] = OrderedDict()
        """By the conversation that was answered, each answer's text and the items to send back."""

    def body(self, prompt: Prompt, sampling: Sampling, further: Mapping[str, Any]) -> bytes:
        """A request. It has no stop sequences and no seed, which the interface does not know."""
        values = {"temperature": sampling.temperature, "top_p": sampling.top_p}
        return msgspec.json.encode(
            {
                "model": self._model,
                "input": list(self._input(prompt.messages())),
                "max_output_tokens": sampling.max_tokens,
                "store": False,
                **{name: value for name, value in values.items() if name not in self._family.omitted},
                **({"include": ["reasoning.encrypted_content"]} if self._family.reasons else {}),
                **_formed(sampling, calls_tools=self._calls_tools),
                **further,
            }
        )

    def keep(self, prompt: Prompt, completion: Completion) -> None:
        """Keep what is to be sent back after an answer to a prompt."""
        *before, last = prompt.node.appended
        begun = address_of(prompt.node.parent, *before, replace(last, content=last.content[: prompt.lasting]))
        if completion.reasoning.startswith("["):
            try:
                items = msgspec.json.decode(completion.reasoning, type=list[dict[str, Any]])
            except msgspec.DecodeError:
                return  # it was cut
            self._kept.setdefault(begun, []).append((completion.text, items))
            self._kept.move_to_end(begun)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _input(self, messages: Sequence[ChatMessage]) -> Iterator[dict[str, Any]]:
        address, called = PromptAddress(""), ""
        for message in messages:
            items = self._items(address, message) if message.role == "assistant" else []
            yield from items
            if called and message.role == "user":
                yield {"type": "function_call_output", "call_id": called, "output": message.content}
                called = ""
            else:
                called = next((item.get("call_id", "") for item in items if item.get("type") == "function_call"), "")
                if not called:
                    yield {"role": message.role, "content": message.content}
            address = address_of(address, message)

    def _items(self, before: PromptAddress, said: ChatMessage) -> list[dict[str, Any]]:
        """What led to an answer, of several the one that says the same."""
        kept = self._kept.get(before, [])
        line = said.content.rpartition("\n")[2].partition(": ")[2] or said.content
        return next((items for text, items in kept if line in text), kept[0][1] if len(kept) == 1 else [])

    def completion(self, body: bytes, sampling: Sampling) -> Completion:
        """The answer; an `UnreadableBody` if there is none. Its reasoning is the items to send back, as JSON."""
        try:
            answer = _answers.decode(body)
            if answer.status == "failed" or answer.error:
                raise UnreadableBody(f"an error behind the endpoint: {error_text(msgspec.json.encode(answer.error))}")
            return self._completion(answer, sampling, _usage(answer.usage))
        except _UNREADABLE as error:
            raise UnreadableBody(f"{error} in: {error_text(body)}") from None

    def _completion(self, answer: _Answer, sampling: Sampling, usage: Usage) -> Completion:
        parts = [part for item in answer.output if item.get("type") == "message" for part in item.get("content") or ()]
        calls = [item for item in answer.output if item.get("type") == "function_call"]
        text = "".join(str(part.get("text", "")) for part in parts if part.get("type") == "output_text")
        refused = "".join(str(part.get("refusal", "")) for part in parts if part.get("type") == "refusal")
        offer = offer_of(sampling, calls_tools=self._calls_tools)
        tool_answer: ToolAnswer | None = None
        if offer is not None:
            written = [(str(call.get("name", "")), str(call.get("arguments", ""))) for call in calls]
            called, tool_answer = offer.read(text, written)
            text = called or text
        made = next((each for each in calls[:1] if offer is not None and each.get("call_id")), None)
        back = _sent_back(answer.output, made)
        has_reasoning = any(item.get("encrypted_content") for item in back)
        said = cut_at_stop(text, sampling.stop)
        return Completion(
            text=said or refused,
            finish=_finish(answer, said, refused, calls, is_cut=said != text),
            usage=usage,
            reasoning=msgspec.json.encode(back).decode() if has_reasoning or made is not None else "",
            tool_answer=tool_answer,
        )


def _sent_back(output: Sequence[dict[str, Any]], made: dict[str, Any] | None) -> Sequence[dict[str, Any]]:
    """What the next prompt repeats as it came: all up to the call that is made, or else the reasoning alone.

    What the model said before a call goes along: it led to the call, and reasoning may not be parted from what follows.
    """
    if made is None:
        return [item for item in output if item.get("type") == "reasoning"]
    return output[: output.index(made) + 1]


def _formed(sampling: Sampling, *, calls_tools: bool) -> dict[str, Any]:
    if sampling.form is None:
        return {}
    offer = offer_of(sampling, calls_tools=calls_tools)
    if offer is None:
        return {"text": {"format": {"type": "json_schema", **response_format(sampling.form)["json_schema"]}}}
    named = {"type": "function", "name": offer.must_be_called}
    tools = [{"type": "function", **each} for each in offer.described]
    return {"tools": tools, "tool_choice": named if offer.must_be_called else "auto"}


def _finish(answer: _Answer, text: str, refused: str, calls: Sequence[Any], *, is_cut: bool) -> Finish:
    """Why an answer ended. One that is cut at a stop sequence was whole before its limit."""
    if answer.status == "incomplete" and not is_cut:
        why = (answer.incomplete_details or {}).get("reason")
        return "content_filter" if why == "content_filter" else "length"
    if text.strip():
        return "stop"
    if refused:
        return "refusal"
    return "tool_calls" if calls else "empty"


def _usage(raw: msgspec.Raw) -> Usage:
    try:
        usage = _usages.decode(raw) or _Usage()
    except msgspec.DecodeError:
        return Usage()
    return Usage(
        prompt_tokens=max(usage.input_tokens, 0),
        completion_tokens=max(usage.output_tokens, 0),
        cached_tokens=_counted(usage.input_tokens_details, "cached_tokens"),
        reasoning_tokens=_counted(usage.output_tokens_details, "reasoning_tokens"),
    )


def _counted(details: _Details | None, name: str) -> int:
    return max((details and getattr(details, name)) or 0, 0)
