"""Whether an end is right by what was seen, and by what was left untried."""

import pytest

from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind, Skill
from quintet.models.sim.transcript import Exchange
from quintet.models.sim.webarena.browsing import Browsing
from quintet.models.sim.webarena.picture import pages_after
from quintet.models.sim.webarena.progress import ended_well
from quintet.models.sim.webarena.task import WebPromptTask, read_web_goal
from quintet.ports.model import Sampling
from tests.actors.models.sim.webarena.recorded_pages import page_read, page_shown

_MIND = Mind(Skill("strong"), Chance((), Sampling(temperature=0.0)), Misreading(0.0))
CART = Exchange("click [26]", "Tab 0 (current): Cart\n\n[1] RootWebArea 'Cart'\nURL: http://onestopmarket.com/cart")
SEARCHED = Exchange("type [6] [tent] [1]", page_shown("nothing_found"))
TENT = "Put a tent for two people into my cart"


@pytest.mark.parametrize(
    ("goal", "page", "steps", "right"),
    [
        (TENT, "account", (CART, SEARCHED), True),
        (TENT, "account", (SEARCHED,), False),
        (TENT, "account", (CART,), False),
        ("What is the status of order 000000128", "orders", (), False),
    ],
    ids=["nothing left", "a link left", "a search left", "the page says it"],
)
def test_that_it_cannot_be_done_is_right_where_nothing_says_it_or_is_left_to_try(
    goal: str, page: str, steps: tuple[Exchange, ...], right: bool
) -> None:
    task = WebPromptTask(goal, read_web_goal(goal), page_read(page))
    stopped = Exchange("stop [N/A]", "The task has ended.")
    assert ended_well(Browsing(task, pages_after(task.page, (*steps, stopped)), _MIND)) == right
