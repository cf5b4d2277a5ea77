from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from quintet.messages.prompts import user
from quintet.models.sim.draws import Chance, Misreading
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


def test_the_parts_of_a_question_are_distinguished() -> None:
    parted = [Misreading(0.5).wrong("x", f"{number}a", "b") for number in range(64)]
    assert parted != [Misreading(0.5).wrong("x", f"{number}", "ab") for number in range(64)]


def test_the_seed_counts_above_temperature_0_only() -> None:
    cold = {Misreading.of_call(0.5, Sampling(seed=seed)) for seed in range(9)}
    warm = {Misreading.of_call(0.5, Sampling(seed=seed, temperature=0.7)) for seed in range(9)}
    assert (len(cold), len(warm)) == (1, 9)


ASKED = (user("What next?"),)
CHOICES = ("best", "second", "third")


def chosen(sampling: Sampling, text: str = "What next?") -> str:
    return Chance((user(text),), sampling).choose(CHOICES)


@pytest.mark.parametrize("seed", [None, 0, 1, 2, 3])
def test_at_temperature_0_the_best_is_taken_whatever_the_seed(seed: int | None) -> None:
    chance = Chance(ASKED, Sampling(temperature=0.0, seed=seed))
    assert chance.choose(CHOICES) == "best"
    assert chance.order(CHOICES) == list(CHOICES)


def test_at_temperature_1_the_best_is_taken_half_of_the_time() -> None:
    drawn = Counter(chosen(Sampling(temperature=1.0, seed=seed)) for seed in range(400))
    assert 160 < drawn["best"] < 240
    assert drawn["second"] > 60
    assert drawn["third"] > 60


def test_a_higher_temperature_strays_more_often() -> None:
    best = [
        sum(chosen(Sampling(temperature=temperature, seed=seed)) == "best" for seed in range(400))
        for temperature in (0.1, 0.7, 2.0)
    ]
    assert best == sorted(best, reverse=True)
    assert best[0] > best[1] > best[2]


def test_the_same_seed_and_messages_draw_the_same() -> None:
    for seed in range(20):
        sampling = Sampling(temperature=1.0, seed=seed)
        assert chosen(sampling) == chosen(sampling)


def test_other_messages_draw_independently() -> None:
    drawn = {chosen(Sampling(temperature=1.0, seed=1), text=str(number)) for number in range(40)}
    assert drawn == set(CHOICES)


def test_a_small_top_p_leaves_only_the_best() -> None:
    drawn = {chosen(Sampling(temperature=1.0, top_p=0.4, seed=seed)) for seed in range(40)}
    assert drawn == {"best"}


def test_an_order_holds_every_item_once() -> None:
    orders = {tuple(Chance(ASKED, Sampling(temperature=1.0, seed=seed)).order(CHOICES)) for seed in range(60)}
    assert len(orders) > 3
    assert all(sorted(order) == sorted(CHOICES) for order in orders)


def test_one_choice_is_no_choice() -> None:
    assert Chance(ASKED, Sampling(temperature=5.0, seed=1)).choose(["only"]) == "only"


def test_a_guess_is_spread_evenly_and_differs_by_messages_even_at_temperature_0() -> None:
    def guess(said: str, seed: int = 0, temperature: float = 0.0) -> int:
        return Chance((user(said),), Sampling(temperature=temperature, seed=seed)).guess(range(3))

    fallen = Counter(guess(str(number)) for number in range(600))
    assert all(160 < fallen[number] < 240 for number in range(3))
    assert len({guess("the same", seed) for seed in range(20)}) == 1
    assert len({guess("the same", seed, 1.0) for seed in range(20)}) == 3
