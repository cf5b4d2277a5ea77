import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.messages.execution import Act, Candidate, Claim, Unreadable
from quintet.search.proposals import Proposal, agreed, merge, tried


def candidate(action: str, confidence: float | None = None, thought: str = "") -> Candidate:
    return Candidate(
        completion=f"Action: {action}", decision=Act(thought=thought, action=action), confidence=confidence
    )


CLAIM = Candidate(completion="Action: task completed", decision=Claim(thought="", completed=True))
UNREADABLE = Candidate(completion="Hm.", decision=Unreadable(expected="one action"))


def test_repeats_become_one_proposal_with_their_share_of_all_candidates() -> None:
    merged = merge([candidate("go  east", thought="East."), candidate("wait"), candidate(" go east"), CLAIM])
    assert [(proposal.action, proposal.confidence) for proposal in merged] == [("go  east", 0.5), ("wait", 0.25)]
    assert (merged[0].thought, merged[0].completion) == ("East.", "Action: go  east")
    assert tried(merged) == ("go  east", "wait")


def test_claims_and_unreadable_candidates_propose_nothing() -> None:
    assert merge([CLAIM, UNREADABLE]) == ()
    assert merge([]) == ()


def test_the_model_s_own_confidences_are_kept_and_added() -> None:
    merged = merge([candidate("a", 0.5), candidate("b", 0.2), candidate("a", 0.3)])
    assert [proposal.confidence for proposal in merged] == [pytest.approx(0.8), pytest.approx(0.2)]


@given(st.lists(st.sampled_from(["a", "b", "c", "", "?"]), max_size=12))
def test_shares_lie_in_the_unit_interval_and_sum_to_at_most_one(actions: list[str]) -> None:
    merged = merge([UNREADABLE if action == "?" else candidate(action or "a") for action in actions])
    assert len({proposal.action for proposal in merged}) == len(merged)
    assert all(0 < proposal.confidence <= 1 for proposal in merged)
    assert sum(proposal.confidence for proposal in merged) <= 1 + 1e-9


def proposal(action: str, confidence: float) -> Proposal:
    return Proposal(action=action, thought="", completion="", confidence=confidence)


def test_where_candidates_agree_one_action_is_left_and_it_is_certain() -> None:
    proposals = [proposal("a", 0.2), proposal("b", 0.8)]
    assert agreed(proposals, 0.8) == proposal("b", 1.0)
    assert agreed(proposals, 0.9) is None
    assert agreed([], 0.8) is None


@given(st.integers(1, 30))
def test_equal_candidates_agree_at_any_threshold(n: int) -> None:
    (merged,) = merge([candidate("a")] * n)
    assert agreed([merged], 1.0) == replace(merged, confidence=1.0)
