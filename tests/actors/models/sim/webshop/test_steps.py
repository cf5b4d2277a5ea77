import pytest

from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG
from quintet.models.sim.transcript import Reading
from quintet.models.sim.webshop.player import WebshopPlayer
from quintet.models.sim.webshop.task import ShopTask
from quintet.ports.model import Sampling
from tests.actors.models.sim.webshop.test_memory import GOAL, WAY, played

PLAYER = WebshopPlayer()
MIND = Mind(STRONG, Chance((), Sampling()), Misreading(0.0))


def aimed(reading: Reading[ShopTask], goal: str) -> Reading[ShopTask]:
    task = PLAYER.with_goal(reading.task, goal, 1)
    assert task is not None
    return Reading(task, reading.steps, reading.texts)


def test_a_plan_begins_after_what_was_found() -> None:
    every = [*PLAYER.plan_steps(played(), MIND)]
    assert [step.split()[0] for step in every] == ["search", "find", "buy"]
    assert [*PLAYER.plan_steps(played(*WAY[:1]), MIND)] == every[1:]
    assert [*PLAYER.plan_steps(played(*WAY[:8]), MIND)] == every[2:]
    for step in every:
        assert PLAYER.with_goal(played().task, step, 1) is not None


def test_what_is_no_part_of_shopping_is_no_goal() -> None:
    assert PLAYER.with_goal(played().task, "look around", 1) is None


@pytest.mark.parametrize(
    ("step", "done", "serves"),
    [
        ("search for tea", 1, True),
        (f"find the product that matches {GOAL}", 2, True),
        (f"find the product that matches {GOAL}", 3, True),
        (f"buy it with {GOAL}", 9, True),
        ("buy it with peppermint tea", 9, True),
        ("buy it with chamomile tea", 9, False),
        ("buy it with green tea in 20 count", 11, False),
    ],
)
def test_an_action_serves_a_step_if_it_shows_or_does_what_it_needs(step: str, done: int, serves: bool) -> None:
    reading = played(*WAY[:done])
    *before, last = reading.steps
    about = aimed(Reading(reading.task, (), reading.texts), step)
    then = before[-1] if before else PLAYER.read_exchange("", "WebShop\n[Search]")
    seen = next((each for each in reversed(before) if "[Buy Now]" in each.observation), then)
    assert PLAYER.serves(about, seen, last, MIND) == serves


def test_a_purchase_serves_if_what_is_meant_was_chosen() -> None:
    reading = played(*WAY)
    *_, chose, bought = reading.steps
    about = aimed(Reading(reading.task, (), reading.texts), f"buy it with {GOAL}")
    assert PLAYER.serves(about, chose, bought, MIND)
    assert not PLAYER.serves(about, played(*WAY[:8]).steps[-1], bought, MIND)


def test_an_option_serves_a_step_that_names_it_even_where_its_product_is_not_seen() -> None:
    *_, first, second = played(*WAY[:10]).steps
    about = aimed(played(), f"buy it with {GOAL}")
    assert PLAYER.serves(about, first, second, MIND)
    assert not PLAYER.serves(aimed(played(), "buy it with a lamp"), first, second, MIND)


def test_what_was_refused_serves_nothing() -> None:
    refused = PLAYER.read_exchange("Action: click[red]", "Invalid action!")
    assert not PLAYER.serves(played(), PLAYER.read_exchange("", "WebShop\n[Search]"), refused, MIND)


@pytest.mark.parametrize(
    ("goal", "done", "reached"),
    [
        ("search for tea", 0, False),
        ("search for tea", 1, True),
        ("shortlist products from the page that match peppermint tea in a tin", 1, False),
        ("shortlist products from the page that match peppermint tea in a tin", 2, True),
        (f"match the product [B0TEA5N3HC] against {GOAL}", 6, False),
        (f"match the product [B0TEA5N3HC] against {GOAL}", 8, True),
        (f"match the product [B0TEA7Q6JM] against {GOAL}", 8, False),
        (f"find the product that matches {GOAL}", 8, True),
        (f"buy it with {GOAL}", 10, False),
        (f"buy it with {GOAL}", 11, True),
    ],
)
def test_progress_is_whole_when_the_part_is_done(goal: str, done: int, reached: bool) -> None:
    assert (PLAYER.progress(aimed(played(*WAY[:done]), goal), MIND) >= 1) == reached


def test_progress_grows_and_a_purchase_without_an_option_is_not_whole() -> None:
    shares = [PLAYER.progress(played(*WAY[:done]), MIND) for done in (0, 1, 6, 8, 9, 10, 11)]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert PLAYER.progress(played(*WAY[:8], WAY[10]), MIND) < 1


def test_a_long_page_is_shortened_to_what_the_goal_names() -> None:
    page = played(WAY[0]).steps[-1].observation
    short = PLAYER.shorten(GOAL, page)
    assert short is not None
    assert "[B0TEA5N3HC]" in short
    assert PLAYER.shorten("find me a lamp", short) == short
    assert PLAYER.shorten(GOAL, "You have clicked red.") == "You have clicked red."
    assert PLAYER.shorten(GOAL, "Nothing happens.") is None
