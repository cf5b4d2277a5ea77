"""Reading lists of faults, and which request gets which fault."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from tests.faulty.faults import KINDS, FaultKind, Faults, parse_faults

kinds = st.sampled_from(KINDS)
numbered = st.tuples(kinds, st.integers(1, 50), st.integers(0, 9)).map(
    lambda it: (it[0], range(it[1], it[1] + it[2] + 1))
)
shares = st.lists(st.tuples(kinds, st.integers(0, 25).map(lambda percent: percent / 100)), max_size=4)
orders = st.builds(
    Faults,
    numbered=st.lists(numbered, max_size=4).map(tuple),
    shares=shares.map(tuple),
    retry_after=st.integers(0, 999).map(lambda tenths: tenths / 10),
    late=st.integers(0, 999).map(float),
    context=st.none() | st.integers(1, 10**9 - 1),
)


def _written(faults: Faults) -> str:
    spans = [
        f"{kind}@{numbers[0]}" if len(numbers) == 1 else f"{kind}@{numbers[0]}-{numbers[-1]}"
        for kind, numbers in faults.numbered
    ]
    parts = [f"{kind}:{share}" for kind, share in faults.shares]
    context = [] if faults.context is None else [f"context={faults.context}"]
    return ", ".join([*parts, f"retry-after={faults.retry_after}", *spans, f"late={faults.late}", *context])


@given(orders)
def test_a_list_of_faults_is_read_as_written(order: Faults) -> None:
    assert parse_faults(_written(order)) == order


@given(st.text(alphabet="0123456789.,:@-=drop latemy") | st.text())
def test_any_text_is_a_list_of_faults_or_a_usage_error(text: str) -> None:
    try:
        faults = parse_faults(text)
    except UsageError as error:
        assert str(error).startswith("--faults: expected ")  # noqa: PT017  either way is right
    else:
        assert faults.draw(1, 0.0) in (None, *KINDS)


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_list_is_no_fault(text: str) -> None:
    assert parse_faults(text) == Faults()
    assert parse_faults(text).draw(1, 0.0) is None


def test_numbers_count_before_shares_and_the_first_of_several_counts() -> None:
    faults = parse_faults("500:1,429@2-4,drop@3-5")
    assert [faults.draw(number, 0.9) for number in range(1, 7)] == ["500", "429", "429", "429", "drop", "500"]


def test_shares_are_met_as_often_as_ordered_and_never_two_at_once() -> None:
    faults, random = parse_faults("429:0.2,lost:.3"), Random(3)
    met = Counter[FaultKind | None](faults.draw(1, random.random()) for _ in range(10_000))
    assert [met[kind] / 10_000 for kind in ("429", "lost", None)] == pytest.approx([0.2, 0.3, 0.5], abs=0.02)


def test_shares_that_sum_to_1_leave_nothing_out() -> None:
    faults = parse_faults(",".join(["429:0.1"] * 10))
    assert faults.draw(1, 0.999) == "429"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "429",
            "expected KIND:SHARE, KIND@N, KIND@FIRST-LAST, retry-after=SECONDS, late=SECONDS or context=TOKENS, "
            "got '429' (429)",
        ),
        ("context=0", "got 'context=0'"),
        ("429:0.1,", "got '' (429:0.1,)"),
        (
            "418:0.1",
            "expected one of 400, 401, 404, 422, 429, 500, 502, 503, 504, drop, late, lost, garbage, empty, nousage, "
            "huge, refusal, filter, tools, null, image, got '418'",
        ),
        ("429:1.5", "expected shares that sum to at most 1, got 1.5 (429:1.5)"),
        ("429:0.6,500:0.6", "expected shares that sum to at most 1, got 1.2"),
        ("429:-1", "got '429:-1'"),
        ("drop@0", "expected requests counted from 1, the first before the last, got 'drop@0' (drop@0)"),
        ("drop@5-3", "got 'drop@5-3'"),
        ("retry-after=soon", "got 'retry-after=soon'"),
    ],
)
def test_a_malformed_list_of_faults_is_an_error_with_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_faults(text)
    assert said in str(error.value)
