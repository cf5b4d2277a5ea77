"""Proposals: the actions that a node's candidates propose, each once, with their confidences."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.execution import Act, Candidate


class Proposal(Struct, frozen=True, kw_only=True):
    """An action that one or more candidates propose."""

    action: str
    thought: str
    """Of the first candidate."""
    completion: str
    """Of the first candidate."""
    confidence: float = 0.0
    """The sum of the candidates' own; or the share of candidates, if they have none. In [0, 1]."""


def merge(candidates: Sequence[Candidate]) -> tuple[Proposal, ...]:
    """The actions that candidates propose, each once, in the order in which they first occur.

    Claims and unreadable candidates propose nothing, but count among the candidates. Two actions are the same if they
    differ in white space alone.
    """
    merged: dict[str, Proposal] = {}
    for candidate in candidates:
        decision = candidate.decision
        if not isinstance(decision, Act):
            continue
        share = 1 / len(candidates) if candidate.confidence is None else candidate.confidence
        key = " ".join(decision.action.split())
        first = merged.get(key)
        merged[key] = replace(
            first or Proposal(action=decision.action, thought=decision.thought, completion=candidate.completion),
            confidence=share + (first.confidence if first else 0.0),
        )
    return tuple(replace(proposal, confidence=min(1.0, proposal.confidence)) for proposal in merged.values())


def agreed(proposals: Sequence[Proposal], agreement: float) -> Proposal | None:
    """The proposal on which the candidates agree, now with the confidence 1; None if they do not.

    Args:
        agreement: the confidence from which on it is the only one to try, above 0.5.

    Source: LDM2, section 3.3, which gives no figure. The confidence is ours: the tree goes on in a line.
    """
    for proposal in proposals:
        if proposal.confidence >= agreement - 1e-9:  # a sum of shares falls short of 1 by rounding
            return replace(proposal, confidence=1.0)
    return None


def tried(proposals: Iterable[Proposal]) -> tuple[str, ...]:
    """The actions of proposals, for a later candidate that is asked for another one."""
    return tuple(proposal.action for proposal in proposals)
