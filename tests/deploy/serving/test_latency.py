"""Reading latencies, and drawing from them."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import UsageError
from quintet.serving.latency import parse_latency

_DAY = 86_400.0
durations = st.builds("{}{}".format, st.integers(0, 9_999), st.sampled_from(["ms", "s"])) | st.just("0")
sigmas = st.integers(0, 100).map(lambda tenths: f"{tenths / 10}")
distributions = st.one_of(
    durations,
    st.builds("uniform({},{})".format, durations, durations),
    st.builds("normal({}, {})".format, durations, durations),
    st.builds("exponential({})".format, durations),
    st.builds("lognormal({},{})".format, durations, sigmas),
)


def _draws(text: str, count: int = 2_000) -> list[float]:
    random = Random(7)
    return sorted(parse_latency(text)(random) for _ in range(count))


@given(distributions, st.integers())
def test_every_drawn_latency_is_finite_and_repeats_with_its_seed(text: str, seed: int) -> None:
    drawn = parse_latency(text)(Random(seed))
    assert 0 <= drawn <= _DAY
    assert drawn == parse_latency(f" {text} ")(Random(seed))


@given(st.text(alphabet="0123456789.ms(),uniformalexp \N{ARABIC-INDIC DIGIT FOUR}") | st.text())
def test_any_text_is_a_distribution_or_a_usage_error(text: str) -> None:
    try:
        drawn = parse_latency(text)(Random(0))
    except UsageError as error:
        assert str(error).startswith("--latency: expected ")  # noqa: PT017  either way is right
    else:
        assert 0 <= drawn <= _DAY


@pytest.mark.parametrize(
    ("text", "seconds"), [("0", 0.0), ("200ms", 0.2), ("2s", 2.0), ("0.5s", 0.5), ("1.5ms", 0.0015)]
)
def test_a_duration_is_always_the_same(text: str, seconds: float) -> None:
    assert _draws(text, 3) == pytest.approx([seconds] * 3)


@given(st.integers(0, 1_000), st.integers(0, 1_000), st.integers())
def test_uniform_stays_between_its_ends(one: int, other: int, seed: int) -> None:
    drawn = parse_latency(f"uniform({one}ms,{other}ms)")(Random(seed))
    assert min(one, other) - 1e-6 <= drawn * 1_000 <= max(one, other) + 1e-6


def test_the_values_are_what_their_names_say() -> None:
    normal = _draws("normal(2s,500ms)")
    assert normal[1_000] == pytest.approx(2.0, abs=0.05)
    assert normal[1_683] - normal[1_000] == pytest.approx(0.5, abs=0.05)
    assert sum(_draws("exponential(1s)")) / 2_000 == pytest.approx(1.0, abs=0.1)
    lognormal = _draws("lognormal(1s,0.5)")
    assert lognormal[1_000] == pytest.approx(1.0, abs=0.05)
    assert lognormal[1_683] == pytest.approx(1.65, abs=0.1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2", "expected 0 or a duration of at most a day, as 200ms or 2s, got '2' (2)"),
        ("", "expected 0 or a duration of at most a day, as 200ms or 2s, got '' ()"),
        ("-1s", "got '-1s' (-1s)"),
        ("99999999s", "of at most a day, as 200ms or 2s, got '99999999s'"),
        ("uniform(1s,2)", "got '2' (uniform(1s,2))"),
        ("uniform(1s)", "expected 2 values in uniform(...), got 1 (uniform(1s))"),
        ("gamma(1s)", "expected one of uniform, normal, exponential, lognormal, got 'gamma' (gamma(1s))"),
        ("lognormal(1s,1s)", "expected a plain number of at most 10, got '1s' (lognormal(1s,1s))"),
        ("lognormal(1s,11)", "expected a plain number of at most 10, got '11'"),
    ],
)
def test_a_malformed_latency_is_an_error_with_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_latency(text)
