"""Candidates with confidences. How models dress them is in `styles/candidates.jsonl`."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.execution import Act, Claim
from quintet.parsing import candidates
from quintet.parsing.answers import answer_text
from quintet.parsing.candidates import Ranking, ReadCandidate, rank, read_candidates
from quintet.parsing.confidences import as_confidence
from quintet.ports.model import Finish

LOOK, WAIT, GO = (Act(thought="", action=action) for action in ("look", "wait", "go to desk 1"))


def ranking(*read: tuple[Act | Claim, float | None], n: int = 10) -> Ranking:
    return rank([ReadCandidate(*each) for each in read], n)


def test_candidates_are_read_in_the_order_in_which_they_were_written() -> None:
    said = "Action: look (confidence 0.2)\nAction: task completed (confidence 0.5)\nAction: wait (confidence 0.3)"
    claim = Claim(thought="", completed=True)
    assert read_candidates(said) == [(LOOK, 0.2), (claim, 0.5), (WAIT, 0.3)]


def test_an_answer_that_is_read_again_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def answer(completion: str) -> str:
        parsed.append(completion)
        return answer_text(completion)

    monkeypatch.setattr(candidates, "answer_text", answer)
    said = "Action: look at the second shelf (confidence 1.0)"
    first = read_candidates(said)
    first.clear()
    assert read_candidates(said) == [(Act(thought="", action="look at the second shelf"), 1.0)]
    assert parsed == [said]


def test_a_thought_belongs_to_the_candidate_below_it() -> None:
    said = "Thought: first.\nAction: look (confidence 0.6)\nAction: wait (confidence 0.4)"
    assert read_candidates(said) == [(Act(thought="first.", action="look"), 0.6), (WAIT, 0.4)]


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("Action: look (confidence 0.5)\nAction: wait (confidence 0.3)\nAction: go to des", [(LOOK, 0.5), (WAIT, 0.3)]),
        ("Action: look (confidence 0.5)\nAction: wait (confidence 0.3", [(LOOK, 0.5)]),
        ("Action: look (confidence 0.", []),
        ('{"candidates": [{"action": "look", "confidence": 0.5}, {"action": "wait", "confidence": 0.', [(LOOK, 0.5)]),
        ('[["look", 0.5], ["wait", 0.3', []),
        ("<think>Action: look (confidence 0.5)\n", []),
    ],
)
def test_of_an_answer_that_was_cut_off_the_candidates_before_the_cut_are_read(
    said: str, whole: list[tuple[Act, float]]
) -> None:
    assert read_candidates(said, "length") == whole


@pytest.mark.parametrize("finish", ["refusal", "content_filter", "empty", "not_text", "tool_calls", "context_full"])
def test_an_answer_without_text_has_no_candidates(finish: Finish) -> None:
    assert read_candidates("Action: look (confidence 0.5)", finish) == []


def test_equal_candidates_are_one_with_their_confidences_added_and_the_first_thought() -> None:
    thinking = Act(thought="first.", action="look")
    assert ranking((thinking, 0.25), (WAIT, 0.375), (LOOK, 0.375)) == Ranking(
        ((thinking, 0.625), (WAIT, 0.375)), adjusted=False
    )


def test_confidences_that_do_not_sum_to_one_are_scaled() -> None:
    assert ranking((LOOK, 1.2), (WAIT, 0.4)) == Ranking(((LOOK, 1.2 / 1.6), (WAIT, 0.4 / 1.6)), adjusted=True)


def test_who_has_no_confidence_gets_a_share_of_what_the_others_leave() -> None:
    assert ranking((LOOK, None), (WAIT, 0.5), (GO, None)) == Ranking(
        ((WAIT, 0.5), (LOOK, 0.25), (GO, 0.25)), adjusted=True
    )
    assert ranking((LOOK, None), (WAIT, 1.5)) == Ranking(((WAIT, 1.0), (LOOK, 0.0)), adjusted=True)


@pytest.mark.parametrize("nothing", [None, 0.0])
def test_without_confidences_candidates_are_counted(nothing: float | None) -> None:
    read = ((LOOK, nothing), (WAIT, nothing), (GO, nothing), (WAIT, nothing))
    assert ranking(*read) == Ranking(((WAIT, 0.5), (LOOK, 0.25), (GO, 0.25)), adjusted=True)


def test_no_more_than_n_are_kept_and_their_confidences_sum_to_one() -> None:
    read = ((LOOK, 0.25), (WAIT, 0.5), (GO, 0.25))
    assert ranking(*read, n=2) == Ranking(((WAIT, 0.5 / 0.75), (LOOK, 0.25 / 0.75)), adjusted=True)
    assert ranking(n=2) == Ranking((), adjusted=False)


_CONFIDENCES = st.none() | st.floats(min_value=0, max_value=1e6)
_READ = st.lists(
    st.builds(ReadCandidate, st.sampled_from([LOOK, WAIT, GO, Claim(thought="", completed=False)]), _CONFIDENCES)
)


@given(_READ, st.integers(1, 5))
def test_a_ranking_sums_to_one_falls_and_repeats_nothing(read: list[ReadCandidate], n: int) -> None:
    best = rank(read, n).candidates
    assert len(best) == min(n, len({json.dumps(repr(each.decision)) for each in read}))
    assert not read or math.isclose(math.fsum(confidence for _, confidence in best), 1, abs_tol=1e-6)
    assert [confidence for _, confidence in best] == sorted((confidence for _, confidence in best), reverse=True)
    assert all(0 <= confidence <= 1 + 1e-6 for _, confidence in best)
    assert len({repr(decision) for decision, _ in best}) == len(best)


_NAMES = st.from_regex(r"(?:go to|open|take) [a-z]{3,8} [0-9]{1,2}", fullmatch=True)


@given(st.lists(st.tuples(_NAMES, st.integers(0, 100)), min_size=1, max_size=6))
def test_the_wanted_form_is_read_back(named: list[tuple[str, int]]) -> None:
    said = "\n".join(f"Action: {action} (confidence {percent / 100:g})" for action, percent in named)
    assert read_candidates(said) == [(Act(thought="", action=action), percent / 100) for action, percent in named]
    as_json = json.dumps({"candidates": [{"action": action, "confidence": p / 100} for action, p in named]})
    assert read_candidates(as_json) == read_candidates(said)


_PIECES = st.sampled_from(
    [
        *("Action:", "action", "look", "go to desk 1", "(confidence", "0.5", ")", "%", "nan", "-1", "1.", "- ", "\n"),
        *("{", "}", '"confidence": ', '"action": "look"', "[", "]", ",", "high", "| ", "task completed", "`"),
        *("<think>", ":", "1e999"),
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join), st.lists(_PIECES, max_size=30).map(" ".join)))
def test_no_text_raises_and_every_candidate_is_sound(completion: str) -> None:
    for finish in ("stop", "length"):
        for decision, confidence in read_candidates(completion, finish):
            assert confidence is None or 0 <= confidence < math.inf
            if isinstance(decision, Act):
                assert decision.action == decision.action.strip() != ""
                assert len(decision.action.splitlines()) == 1


@pytest.mark.parametrize(
    "value", [True, None, "high", "", -0.1, float("nan"), float("inf"), 10**400, [], {}, "-0.5", "nan"]
)
def test_what_is_no_number_from_0_on_is_no_confidence(value: object) -> None:
    assert as_confidence(value) is None


@pytest.mark.parametrize("value", [0.5, ".5", "0.5", "0,5", "50%", " 50 % ", "5/10", "50/100"])
def test_a_confidence_may_be_written_as_a_share_or_percentage(value: object) -> None:
    assert as_confidence(value) == 0.5
