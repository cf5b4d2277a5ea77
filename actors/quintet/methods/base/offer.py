"""The offer of an episode: what it ends with if a limit cuts it short."""

from dataclasses import dataclass

import msgspec

from quintet.events import Offer
from quintet.messages.solving import Solved, Unsolved


@dataclass(eq=False)
class LatestOffer:
    """What `Episode.offer` was given last."""

    offer: Offer | None = None


def as_offer(answer: object) -> Offer:
    """An answer as the journal will have it. Constructing a Struct checks nothing, and a plug-in may pass anything.

    Raises:
        TypeError: it is no `Solved` or `Unsolved`, or a field has a value of another type.
        ValueError: its reward is not in [0, 1], or it names no session.
    """
    if not isinstance(answer, Solved | Unsolved):
        raise TypeError(f"offer: expected Solved or Unsolved, got {answer!r:.200}")
    if answer.session is None:
        raise ValueError("offer: expected an answer that names its session, got one without")
    fields = {
        "state": "solved" if isinstance(answer, Solved) else "unsolved",
        "session": answer.session.id,
        "reward": answer.reward,
        "done": answer.done,
        "claimed": answer.claimed,
        "depth": answer.depth,
    }
    try:
        offer = msgspec.convert(fields, Offer)
    except msgspec.ValidationError as error:
        raise TypeError(f"offer: {error}") from error
    if not 0 <= offer.reward <= 1:  # also if it is not a number
        raise ValueError(f"offer: expected a reward in [0, 1], got {offer.reward}")
    return offer
