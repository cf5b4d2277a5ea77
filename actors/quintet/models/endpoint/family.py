"""Differences between families of models: sampling parameters, their names, and whether the model reasons."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from quintet.messages.prompts import ChatMessage, user
from quintet.ports.model import Sampling

LengthName: TypeAlias = Literal["max_tokens", "max_completion_tokens"]
SamplingName: TypeAlias = Literal["temperature", "top_p", "seed", "stop", "n"]

_MOST_STOPS: Final = 4
"""Stop sequences in a request; OpenAI and vLLM refuse more. A text is cut at the others when it is read."""


@dataclass(frozen=True)
class ModelFamily:
    """What requests to a family of models take."""

    length: LengthName = "max_tokens"
    omitted: frozenset[SamplingName] = frozenset()
    reasons: bool = False
    """Whether it reasons before it answers, within `max_tokens`."""

    def parameters(self, sampling: Sampling) -> dict[str, Any]:
        """Fields of a request's body. Default values are sent too, since servers' defaults differ."""
        values: dict[SamplingName, Any] = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "stop": [*dict.fromkeys(filter(None, sampling.stop))][:_MOST_STOPS] or None,
        }
        sent: dict[str, Any] = {self.length: sampling.max_tokens}
        sent.update((name, value) for name, value in values.items() if value is not None and name not in self.omitted)
        return sent


_USUAL = ModelFamily()
_OPENAI_REASONING = ModelFamily("max_completion_tokens", frozenset({"temperature", "top_p", "stop"}), reasons=True)
_REASONING = ModelFamily(omitted=frozenset({"stop"}), reasons=True)
"""A server looks for stop sequences in the reasoning too, and would end the text before the answer begins."""

_FAMILIES: Sequence[tuple[str, ModelFamily]] = (
    (r"gpt-5-chat|.*[-_]non-reasoning", _USUAL),
    (r"gpt-5|o1|o3|o4", _OPENAI_REASONING),
    (r"qwen3(-\w+)*-(instruct|coder)|qwen3-(instruct|coder)", _USUAL),
    (r"qwen3(\.\d+)?|qwq|deepseek-r1|deepseek-reasoner|magistral|gpt-oss|smollm3", _REASONING),
    (r"gemini-(2\.5|[3-9](\.\d+)?|(pro|flash|flash-lite)-latest)|grok-([4-9](\.\d+)?|3-mini|code)", _REASONING),
    (r"glm-(4\.[5-9]|5|z1)|minimax-m[12]|exaone-deep|phi-4(-mini)?-reasoning", _REASONING),
    (r".*[-_](thinking|reasoning|reasoner)", _REASONING),
)
"""By the first words of a name; the first that fits counts."""


def family_of(model: str) -> ModelFamily:
    """The family of a model; the usual one for an unknown name. `PROVIDER/NAME` is read as `NAME`."""
    name = model.rpartition("/")[2].lower()
    return next((family for words, family in _FAMILIES if re.match(rf"(?:{words})(?![a-z0-9])", name)), _USUAL)


def fold_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Move the system messages to the head of the user's first message."""
    instructions = "\n\n".join(message.content for message in messages if message.role == "system")
    others = [message for message in messages if message.role != "system"]
    if not instructions:
        return others
    first = next((place for place, message in enumerate(others) if message.role == "user"), None)
    if first is None:
        return [user(instructions), *others]
    others[first] = user(f"{instructions}\n\n{others[first].content}")
    return others
