"""Lenient parsing of an endpoint's answer: servers leave out, add and null fields."""

import json
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from quintet.models.completion import cut_at_stop
from quintet.models.endpoint.tool_calls import ToolOffer
from quintet.parsing.answers import answer_spans
from quintet.ports.model import Completion, Finish, Usage
from quintet.ports.tokens import CallTokens, pack_ids, pack_logprobs

_Count = Annotated[int, Meta(ge=0, le=2**53)]
_NULL = msgspec.Raw(b"null")
_PROMPT_IDS = b'"prompt_token_ids":['


class UnreadableBody(Exception):
    """An answer without a completion in it. Its text may quote the server."""


class TokensMissing(Exception):
    """An answer without the token ids or log-probabilities that were asked for."""


class _Said(Struct):
    content: Any = None
    refusal: Any = None
    tool_calls: Any = None
    function_call: Any = None
    audio: Any = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(Struct):
    message: _Said
    finish_reason: Any = None
    token_ids: msgspec.Raw = _NULL
    prompt_token_ids: msgspec.Raw = _NULL
    """SGLang's place for them."""
    logprobs: msgspec.Raw = _NULL


class _Answer(Struct):
    choices: list[_Choice]
    prompt_token_ids: msgspec.Raw = _NULL
    """vLLM's place for them."""
    usage: msgspec.Raw = _NULL
    system_fingerprint: Any = None


class _PromptDetails(Struct):
    cached_tokens: _Count | None = None


class _CompletionDetails(Struct):
    reasoning_tokens: _Count | None = None


class _Usage(Struct):
    prompt_tokens: _Count
    completion_tokens: _Count
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None


class _TokenLogprob(Struct):
    logprob: float


class _Logprobs(Struct):
    content: list[_TokenLogprob] | None = None


_answers = msgspec.json.Decoder(_Answer)
_usages = msgspec.json.Decoder(_Usage)
_ids = msgspec.json.Decoder(list[int] | None)
_logprobs = msgspec.json.Decoder(_Logprobs | None)

_UNDECODABLE = (msgspec.DecodeError, ValueError, OverflowError, RecursionError)
"""Bytes that are no UTF-8 fail inside of a string, with the error of the codec; deep nesting as recursion; a token id
or a log-probability that cannot be packed as an overflow."""


def completion(body: bytes, stop: tuple[str, ...], *, offer: ToolOffer | None = None) -> Completion:
    """The first choice of an answer; see `completions`."""
    return completions(body, stop, offer=offer)[0]


def completions(
    body: bytes,
    stop: tuple[str, ...],
    *,
    offer: ToolOffer | None = None,
    read_prompt: Callable[[bytes], bytes] | None = None,
) -> tuple[Completion, ...]:
    """The choices of an answer, cut before the first of `stop`, even if the endpoint was not sent them.

    The text of the first call of a tool is as `ToolOffer` reads it, if tools were offered.

    The finish of a choice without a text says why. An unknown or null finish reason is `stop`. The usage is that of all
    choices and stands in the first; a missing or invalid one is all zeros.

    Args:
        read_prompt: packs the prompt's token ids, given as a JSON list; None: no tokens were asked for.

    Raises:
        UnreadableBody: there is no choice, or the text of one is not text, or its tokens are none.
        TokensMissing: there are no tokens.
    """
    try:
        body, prompt = (body, None) if read_prompt is None else _split_prompt(body)
        answer = _decoded(body)
        if not answer.choices:
            raise UnreadableBody("no choices")
        first, *others = (
            _completion(choice, _text(answer.system_fingerprint), stop, offer) for choice in answer.choices
        )
        drawn = replace(first, usage=_usage(answer.usage)), *others
        if read_prompt is None:
            return drawn
        tokens = (_tokens(choice, prompt or _ids_of(answer, choice), read_prompt) for choice in answer.choices)
        return tuple(replace(each, tokens=own) for each, own in zip(drawn, tokens, strict=True))
    except _UNDECODABLE as error:
        raise UnreadableBody(f"{error} in: {error_text(body)}") from None


def _decoded(body: bytes) -> _Answer:
    try:
        return _answers.decode(body)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        # JSON can hold half of an emoji, which msgspec refuses, and a server may cut a character of several bytes. The
        # answer was paid for, so it is read anyway.
        return _answers.decode(json.dumps(_loaded(body), ensure_ascii=False).encode(errors="replace"))


def _loaded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except UnicodeDecodeError:
        return json.loads(body.decode(errors="replace"))


def _completion(choice: _Choice, fingerprint: str, stop: tuple[str, ...], offer: ToolOffer | None) -> Completion:
    if choice.finish_reason == "error":  # what OpenRouter says of a text that broke off
        raise UnreadableBody("an error behind the endpoint")
    said = choice.message
    called, tool_answer = ("", None) if offer is None else offer.read(_text(said.content), _calls(said))
    whole = called or _text(said.content)
    begins = _answer_begins(whole)
    text = whole[:begins] + cut_at_stop(whole[begins:], stop)
    finish = _finish(choice) if text == whole else "stop"
    if finish == "stop" and not text[begins:].strip():
        finish = _why_silent(said)
    return Completion(
        text=_text(said.refusal) if finish == "refusal" and not text.strip() else text,
        finish=finish,
        reasoning=_text(said.reasoning_content) or _text(said.reasoning),
        fingerprint=fingerprint,
        tool_answer=tool_answer,
    )


def _split_prompt(body: bytes) -> tuple[bytes, bytes | None]:
    """A body without the ids of its prompt, which are most of it and need no parser, and these; None: not found.

    In a string of JSON a quotation mark has a backslash before it, so no text is mistaken for the field.
    """
    start = body.find(_PROMPT_IDS)
    end = body.find(b"]", start) + 1
    if start < 0 or not end:
        return body, None
    begins = start + len(_PROMPT_IDS)
    return b"%b null%b" % (body[: begins - 1], body[end:]), body[begins - 1 : end]


def _ids_of(answer: _Answer, choice: _Choice) -> bytes | None:
    return next((bytes(each) for each in (answer.prompt_token_ids, choice.prompt_token_ids) if each != _NULL), None)


def _tokens(choice: _Choice, prompt: bytes | None, read_prompt: Callable[[bytes], bytes]) -> CallTokens:
    """The tokens of a choice.

    Source: `return_token_ids` of vLLM's and SGLang's chat completions.
    """
    drawn, logprobs = _ids.decode(choice.token_ids), _logprobs.decode(choice.logprobs)
    content = logprobs.content if logprobs else None if drawn else ()
    if prompt is None or drawn is None or content is None:
        found = {"prompt_token_ids": prompt, "token_ids": drawn, "logprobs": content}
        raise TokensMissing(" and ".join(name for name, each in found.items() if each is None))
    chances = [each.logprob for each in content]
    if len(chances) != len(drawn):
        raise UnreadableBody(f"{len(drawn):,} token ids and {len(chances):,} log-probabilities")
    return CallTokens(prompt=read_prompt(prompt), completion=pack_ids(drawn), logprobs=pack_logprobs(chances))


def _calls(said: _Said) -> list[tuple[str, str]]:
    """The name and the arguments of each call of a tool."""
    match said.tool_calls:
        case [*calls]:
            return [call for call in map(_call, calls) if call is not None]
        case _:
            return []


def _call(written: Any) -> tuple[str, str] | None:
    match written:
        case {"function": {"name": str(name), "arguments": str(arguments)}}:
            return name, arguments
        case _:
            return None


def _answer_begins(text: str) -> int:
    """The end of inline reasoning: stop sequences count from there on."""
    start, end = spans[-1] if (spans := answer_spans(text)) else (0, 0)
    return start if end == len(text) else len(text)


def _finish(choice: _Choice) -> Finish:
    match str(choice.finish_reason).lower():
        case "length":
            return "length"
        case "refusal":
            return "refusal"
        case "content_filter" | "safety" | "recitation" | "prohibited_content":
            return "content_filter"
        case _:
            return "stop"


def _why_silent(said: _Said) -> Finish:
    if _text(said.refusal):
        return "refusal"
    if said.tool_calls or said.function_call:
        return "tool_calls"
    if said.audio or (said.content and not _text(said.content)):
        return "not_text"
    return "empty"


def _text(content: Any) -> str:
    """A text, or the texts of a list of parts joined; anything else says nothing."""
    match content:
        case str():
            return content
        case [*parts]:
            return "".join(_text(part) for part in parts)
        case {"text": str(text)}:
            return text
        case _:
            return ""


def _usage(raw: msgspec.Raw) -> Usage:
    try:
        usage = _usages.decode(raw)
    except _UNDECODABLE:
        return Usage()
    prompt, answered = usage.prompt_tokens_details, usage.completion_tokens_details
    return Usage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=(prompt and prompt.cached_tokens) or 0,
        reasoning_tokens=(answered and answered.reasoning_tokens) or 0,
    )


def error_text(body: bytes) -> str:
    """A server's error in one line: the message of an error in JSON, else the whole body."""
    try:
        said = _message(msgspec.json.decode(body))
    except _UNDECODABLE:
        said = None
    return " ".join((said or body.decode(errors="replace")).split()) or "nothing"


def error_codes(body: bytes) -> frozenset[str]:
    """The `code` and the `type` of a server's error, in lower case; none if it is not JSON."""
    try:
        said = msgspec.json.decode(body)
    except _UNDECODABLE:
        return frozenset()
    match said:
        case {"error": {**error}} | {**error}:
            return frozenset(str(error[name]).lower() for name in ("code", "type") if error.get(name))
        case _:
            return frozenset()


def _message(said: Any) -> str | None:
    match said:
        case str():
            return said
        case {"error": inner} | {"message": inner} | {"detail": inner} if inner:
            return _message(inner)
        case _:
            return None
