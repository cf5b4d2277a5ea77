from collections import Counter

import pytest

from quintet.messages.prompts import user
from quintet.models.sim.chance import Chance
from quintet.ports.model import Sampling

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
