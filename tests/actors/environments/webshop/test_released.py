"""The gym's text against a referee: a session as the released text environment keeps one, and what its pages hold."""

from collections.abc import Mapping
from random import Random

import pytest

from quintet.environments.webshop.products import Product
from quintet.environments.webshop.state import WebShopState
from tests.actors.environments.webshop.stock import lamps
from tests.actors.environments.webshop.test_state import WANTED, shopping

WINDOW = 2
HEAD = ["Instruction:", WANTED.instruction, "Back to Search"]


class Referee:
    """A server that keeps what was asked for, and a browser that knows which kind of page it is on.

    Source: the released text environment, its server and its pages (Yao et al., 2022), read and told anew.
    """

    page, sub, query, number, asin = "index", "", "", 1, ""

    def __init__(self) -> None:
        self.options: dict[str, str] = {}

    def act(self, verb: str, argument: str) -> bool:
        """Whether it is carried out; anything else leaves the page."""
        argument = argument.lower()
        if verb == "search":
            self._search(argument, 1)
            return True
        found = self.clickable().get(argument)
        if verb != "click" or found is None:
            return False
        if argument == "back to search":
            self.page, self.options = "index", {}
        elif argument in ("next >", "< prev") and self.page == "results":
            self._search(self.query, self.number + (1 if argument == "next >" else -1))
        elif argument == "< prev" and self.page == "item":
            self._search(self.query, self.number)
        elif argument in ("description", "features", "reviews"):
            self.page, self.sub = "sub", argument
        else:
            if found == "link":
                self.asin = argument.upper()
            elif found != "button":
                self.options[found] = argument
            self.page = "item"
        return True

    def clickable(self) -> Mapping[str, str]:
        """By its words, what it is: a button, a link, or a choice, with the option's name."""
        buttons = [text for text in self.texts() if text in BUTTONS]
        listed = {asin.lower(): "link" for asin in self.texts() if self.page == "results" and asin.startswith("B0")}
        found = {button.lower(): "button" for button in buttons} | listed
        if self.page == "item":
            found |= {value: name for name, values in self._product().options.items() for value in values}
        return found

    def texts(self) -> list[str]:
        match self.page:
            case "index":
                return ["WebShop", *HEAD[:2], "Search"]
            case "results":
                hits = lamps().search(self.query)
                shown = [lamps().product(hit) for hit in hits][(self.number - 1) * WINDOW :][:WINDOW]
                back = ["< Prev"] if self.number > 1 else []
                listed = [text for each in shown for text in (each.asin, each.title.strip(), each.price_text)]
                return [*HEAD, f"Page {self.number} (Total results: {len(hits)})", *back, "Next >", *listed]
            case "item":
                product = self._product()
                options = [text.strip() for name, each in product.options.items() for text in (name, *each)]
                about = [product.title.strip(), f"Price: {product.price_text}", "Rating: N.A."]
                return [*HEAD, "< Prev", *options, *about, "Description", "Features", "Reviews", "Buy Now"]
            case _:
                product = self._product()
                said = {"description": [product.description], "features": [f" {each}" for each in product.bullets]}
                seen = [text.strip() for text in said.get(self.sub, []) if text.strip() or text in (" ", "  ")]
                return [*HEAD, "< Prev", *seen]

    def _product(self) -> Product:
        number = lamps().number(self.asin)
        assert number is not None
        return lamps().product(number)

    def _search(self, query: str, number: int) -> None:
        self.page, self.query, self.number, self.options = "results", query, number, {}


BUTTONS = ("Back to Search", "< Prev", "Next >", "Description", "Features", "Reviews", "Buy Now")
QUERIES = ("search[Dimmable Lamp]", "search[mug]", "search[lamp mug]", "search[of the]")
IMPOSSIBLE = ("click[search]", "click[nothing]", " click[< prev]", "click [< prev]", "buy[b0lamp0002]", "click[")


@pytest.mark.parametrize("seed", range(20))
def test_walks_see_and_do_what_the_referee_does(seed: int) -> None:
    chance, referee, state = Random(seed), Referee(), WebShopState(shopping(form="gym"))
    refused = 0
    for _ in range(60):
        assert state.observation == " [SEP] ".join(referee.texts())
        links = [f"click[{words}]" for words in referee.clickable() if words != "buy now"]
        action = chance.choice([*links, *links, *QUERIES, *IMPOSSIBLE])
        verb, _, rest = action.partition("[")
        outcome = state.step(action)
        assert outcome.rejected != (rest.endswith("]") and referee.act(verb, rest[:-1])), action
        refused += outcome.rejected
    assert 5 < refused < 50
    assert dict(state.position.chosen) == referee.options
