from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from quintet.models.sim.misreading import Misreading
from quintet.ports.model import Sampling

WORDS = st.text(max_size=20)
RATES = st.floats(0, 1)
SEEDS = st.none() | st.integers(0, 2**63)
DRAWS = 4000


def frequency_is(rate: float, wrong: list[bool]) -> bool:
    """Whether so many errors are no rarer or commoner than chance has them once in a million."""
    return binomtest(sum(wrong), len(wrong), rate).pvalue > 1e-6


@given(RATES, SEEDS, WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_the_same_question_in_the_same_words_goes_wrong_the_same_way(
    rate: float, seed: int | None, goal: str, question: list[str]
) -> None:
    others = list(range(100))
    ones, again = (Misreading(rate, seed) for _ in range(2))
    assert ones.wrong(goal, *question) == again.wrong(goal, *question)
    assert ones.answer(-1, others, goal, *question) == again.answer(-1, others, goal, *question)
    assert (ones.answer(-1, others, goal, *question) != -1) == ones.wrong(goal, *question)


def test_other_words_are_a_new_draw_of_the_same_probability() -> None:
    for rate in (0.02, 0.1, 0.5):
        misreading = Misreading(rate)
        assert frequency_is(rate, [misreading.wrong(f"craft {number}", "makes", "x") for number in range(DRAWS)])
        assert frequency_is(rate, [misreading.wrong("craft x", "makes", str(number)) for number in range(DRAWS)])
        assert frequency_is(rate, [Misreading(rate, seed).wrong("craft x", "makes", "x") for seed in range(DRAWS)])


def test_draws_in_other_words_are_independent() -> None:
    wrong = [Misreading(0.5).wrong(f"craft {number}", "makes", "x") for number in range(DRAWS)]
    assert frequency_is(0.5, [one == other for one, other in pairwise(wrong)])


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_nothing_is_misread_at_rate_0_and_everything_at_rate_1(goal: str, question: list[str]) -> None:
    assert not Misreading(0.0).wrong(goal, *question)
    assert Misreading(1.0).wrong(goal, *question)


@given(RATES, RATES, WORDS, WORDS)
def test_what_is_misread_at_a_rate_is_misread_alike_at_a_higher_one(a: float, b: float, goal: str, thing: str) -> None:
    low, high = (Misreading(rate) for rate in sorted((a, b)))
    if low.wrong(goal, thing):
        assert low.answer(-1, range(9), goal, thing) == high.answer(-1, range(9), goal, thing) != -1


def test_no_wrong_answer_is_likelier_than_another() -> None:
    answers = [Misreading(1.0).answer(-1, range(4), f"craft {number}", "makes", "x") for number in range(DRAWS)]
    assert all(frequency_is(0.25, [answer == each for answer in answers]) for each in range(4))


def test_a_question_without_another_answer_is_answered_right() -> None:
    assert Misreading(1.0).answer("right", (), "craft x", "makes", "x") == "right"


def test_the_parts_of_a_question_are_told_apart() -> None:
    parted = [Misreading(0.5).wrong("x", f"{number}a", "b") for number in range(64)]
    assert parted != [Misreading(0.5).wrong("x", f"{number}", "ab") for number in range(64)]


def test_the_seed_counts_above_temperature_0_only() -> None:
    cold = {Misreading.by(0.5, Sampling(seed=seed)) for seed in range(9)}
    warm = {Misreading.by(0.5, Sampling(seed=seed, temperature=0.7)) for seed in range(9)}
    assert (len(cold), len(warm)) == (1, 9)
