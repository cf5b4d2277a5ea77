"""The expert and the naive buyer: the fewest actions to a purchase, from any page."""

import pytest

from quintet.environments.webshop.purchase import Purchase, actions_to_buy, first_product
from quintet.environments.webshop.storefront import Storefront
from tests.actors.environments.webshop.stock import lamps
from tests.actors.environments.webshop.test_state import TO_THE_LAMP, after

FRONT = Storefront(lamps(), 2, search_anywhere=False)
WHITE = Purchase("dimmable lamp", "B0LAMP0002", {"color": "white"})
BUY = ("click[white]", "click[buy now]")
FROM_THE_START = ("search[dimmable lamp]", "click[b0lamp0002]", *BUY)


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ((), FROM_THE_START),
        (TO_THE_LAMP[:1], ("click[b0lamp0002]", *BUY)),
        (("search[mug]",), ("click[back to search]", *FROM_THE_START)),
        (("search[dimmable lamp]", "click[next >]"), ("click[back to search]", *FROM_THE_START)),
        (TO_THE_LAMP, BUY),
        ((*TO_THE_LAMP, "click[white]"), BUY[1:]),
        ((*TO_THE_LAMP, "click[black]"), BUY),
        ((*TO_THE_LAMP, "click[features]"), ("click[< prev]", *BUY)),
        (("search[brass]", "click[b0lamp0001]"), ("click[back to search]", *FROM_THE_START)),
    ],
)
def test_a_purchase_is_made_from_any_page(taken: tuple[str, ...], left: tuple[str, ...]) -> None:
    state = after(*taken)
    assert actions_to_buy(FRONT, state.position, WHITE) == left
    assert [state.step(action).reward for action in left][-1] == 1.0


def test_a_product_on_a_later_page_is_gone_to() -> None:
    brass = Purchase("dimmable lamp", "B0LAMP0001")
    way = ("search[dimmable lamp]", "click[next >]", "click[b0lamp0001]", "click[buy now]")
    assert actions_to_buy(FRONT, after().position, brass) == way
    assert actions_to_buy(FRONT, after(way[0]).position, brass) == way[1:]
    assert actions_to_buy(FRONT, after().position, Purchase("mug", "B0LAMP0001")) is None  # it is not found


def test_the_naive_buyer_searches_the_instruction_and_buys_the_first_product_as_it_is() -> None:
    state = after()
    naive = state.naive()
    assert naive is not None
    assert naive == (f"search[{state.opening.goal}]", "click[b0lamp0002]", "click[buy now]")
    assert [state.step(action).reward for action in naive][-1] == pytest.approx(2 / 3)
    assert first_product(FRONT, "of the") is None
