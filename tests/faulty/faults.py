"""Injected faults: reads `429:0.1,500@3,retry-after=0.2`, decides which fault a request gets, and answers it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quintet.serving.wire import ErrorBody, Refusal, invalid


@dataclass
class Faults:
    """Which requests get which fault. If several apply, the first counts, and numbered ones come before shares.

    The kinds:

        400, 401, ...   refused at once, with this status and an error
        drop            the connection is closed at once; no completion is made
        garbage         answered with 200 and a body that is not JSON
        empty           answered with 200 and no choices
        refusal         answered with a refusal instead of a text
        filter          answered without a text, as if a filter withheld it
        tools           answered with only a tool call
        null            answered with null instead of a text
        image           answered with an image instead of a text
        prose           answered with a text that answers no question, as behind a wrong chat template
    """

    numbered: list[tuple[str, range]] = field(default_factory=list[tuple[str, range]])
    """For these requests, counted from 1 as they arrive."""
    shares: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """For this share of the requests. The sum is at most 1, since a request gets one fault at most."""
    retry_after: float = 1.0
    """Seconds, for 429 and 503."""
    context: int | None = None
    """Tokens of the longest prompt that is answered; None: no limit."""

    def draw(self, number: int, chance: float) -> str | None:
        """The fault of a request, if any.

        Args:
            number: of the request, from 1.
            chance: uniform in [0, 1).
        """
        for kind, numbers in self.numbered:
            if number in numbers:
                return kind
        for kind, share in self.shares:
            if chance < share:
                return kind
            chance -= share
        return None


def parse_faults(text: str) -> Faults:
    """Read a list of faults.

    Args:
        text: entries separated by commas: `KIND:SHARE`, `KIND@N` or `KIND@FIRST-LAST`, and the options
            `retry-after=SECONDS` and `context=TOKENS`. Empty for none.
    """
    faults = Faults()
    for entry in text.split(",") if text else ():
        if "=" in entry:
            option, _, value = entry.partition("=")
            if option == "context":
                faults.context = int(value)
            else:
                assert option == "retry-after", entry
                faults.retry_after = float(value)
        elif "@" in entry:
            kind, _, numbers = entry.partition("@")
            first, _, last = numbers.partition("-")
            faults.numbered.append((kind, range(int(first), int(last or first) + 1)))
        else:
            kind, _, share = entry.partition(":")
            faults.shares.append((kind, float(share)))
    return faults


def too_long(tokens: int, context: int) -> Refusal:
    """The prompt does not fit into the configured context."""
    message = f"This model's maximum context length is {context} tokens. However, your messages resulted in {tokens}."
    return invalid(message, "messages", "context_length_exceeded")


def injected_refusal(fault: str | None) -> Refusal | None:
    """The error of a fault, if it is one."""
    if fault is None or not fault.isdecimal():
        return None
    return Refusal(int(fault), ErrorBody(f"{fault} was injected.", "injected"))


_CALL: dict[str, str | dict[str, str]] = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "act", "arguments": "{}"},
}


def _choice(finish_reason: str, content: object = None, **message: object) -> dict[str, object]:
    said = {"role": "assistant", "content": content, "refusal": None, **message}
    return {"message": said, "finish_reason": finish_reason, "index": 0, "logprobs": None}


ANSWERS_WITHOUT_AN_ACTION: Mapping[str, dict[str, object]] = {
    "refusal": _choice("stop", refusal="I cannot help with that (injected)."),
    "filter": _choice("content_filter"),
    "tools": _choice("tool_calls", tool_calls=[_CALL]),
    "null": _choice("stop"),
    "image": _choice("stop", [{"type": "image_url", "image_url": "data:,"}]),
    "prose": _choice("stop", "The weather is nice today, and the birds sing."),
}
"""Choices, by kind."""
