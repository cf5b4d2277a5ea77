"""How much of prompts extends earlier ones, byte for byte: what an endpoint's cache of prefixes can save."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from quintet.messages.prompts import ChatMessage


class Prompted(NamedTuple):
    """The prompt of a call."""

    model: str
    phase: str
    """What the call was for."""
    messages: Sequence[ChatMessage]


class PrefixShare(NamedTuple):
    """The characters of prompts, and how many of them extend an earlier prompt to the same model."""

    characters: int = 0
    extending: int = 0

    @property
    def share(self) -> float:
        """In [0, 1]; 0 without a prompt."""
        return self.extending / self.characters if self.characters else 0.0


def total_share(shares: Iterable[PrefixShare]) -> PrefixShare:
    """The share of all their prompts."""
    return PrefixShare(*map(sum, zip(PrefixShare(), *shares, strict=True)))


class _Seen:
    """What earlier prompts have at one place of a conversation."""

    def __init__(self) -> None:
        self.after: dict[ChatMessage, _Seen] = {}
        self.texts: defaultdict[str, list[str]] = defaultdict(list)
        """By role, sorted."""

    def common(self, message: ChatMessage) -> int:
        """The characters at a message's beginning that another one has, too."""
        texts = self.texts[message.role]
        place = bisect_left(texts, message.content)  # what has the most in common lies beside it
        beside = texts[max(place - 1, 0) : place + 1]
        return max((_common(message.content, text) for text in beside), default=0)

    def add(self, message: ChatMessage) -> "_Seen":
        insort(self.texts[message.role], message.content)
        return self.after.setdefault(message, _Seen())


def _common(one: str, another: str) -> int:
    shorter = min(len(one), len(another))
    return next((place for place in range(shorter) if one[place] != another[place]), shorter)


def prefix_shares(prompts: Iterable[Prompted]) -> dict[str, PrefixShare]:
    """By what the calls were for, how much of their prompts extends an earlier prompt.

    A prompt extends an earlier one as far as both are equal from the beginning, also within a message.

    Args:
        prompts: of one run, in the order of the answers. Characters stand for tokens.
    """
    seen: defaultdict[str, _Seen] = defaultdict(_Seen)
    shares: defaultdict[str, PrefixShare] = defaultdict(PrefixShare)
    for prompt in prompts:
        here, extending, is_new = seen[prompt.model], 0, False
        for message in prompt.messages:
            known = here.after.get(message)
            if known is None:
                extending += 0 if is_new else here.common(message)
                is_new, here = True, here.add(message)
            else:
                extending, here = extending + len(message.content), known
        characters = sum(len(message.content) for message in prompt.messages)
        shares[prompt.phase] = total_share([shares[prompt.phase], PrefixShare(characters, extending)])
    return dict(shares)
