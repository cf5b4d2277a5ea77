"""Moves in the shop: search, open what looks right, read what is missing, look on, choose options, and buy."""

from collections.abc import Iterator
from itertools import islice

from quintet.models.sim.player import COMPLETED, FAILED, Move
from quintet.models.sim.webshop.pages import ItemPage, ResultsPage, SearchPage, TextPage
from quintet.models.sim.webshop.picture import BACK, BUY, NEXT, PREV
from quintet.models.sim.webshop.progress import reaches_goal
from quintet.models.sim.webshop.shopping import Shopping

_ABOUT_SEARCH = r"\bsearch\b"
_ABOUT_OPENING = r"\bopen\b"
_ABOUT_READING = r"\bfeatures\b"
_ABOUT_CHOOSING = r"\bchoose\b"
_ABOUT_BUYING = r"\[buy now\]"

_MOST_CHOICES = 3


def shopping_move(shop: Shopping) -> Move:
    """The next action towards the goal, or a claim that it is reached or cannot be."""
    if reaches_goal(shop) and COMPLETED not in shop.instead_of:
        return Move("The page shows that this is done.", COMPLETED)
    allowed = (move for move in _moves(shop) if shop.allowed(move.action))
    return next(allowed, Move("I see nothing more to try.", FAILED))


def _moves(shop: Shopping) -> Iterator[Move]:
    """What to do, the best first."""
    if isinstance(shop.seen.page, TextPage):
        yield Move("I have read this, and go back to the product.", PREV, _ABOUT_READING)
    match shop.goal.purpose:
        case "search":
            yield from _search(shop)
        case "shortlist":
            yield from (_opens(shop, each.product) for each in shop.candidates() if shop.buyer.of_listing(each).fits)
        case "match":
            yield from _go_to(shop, shop.target())
            yield from _read(shop)
        case "buy":
            yield from _go_to(shop, shop.target())
            yield from _buy(shop)
        case "find" | "shop":
            yield from _browse(shop)


def _browse(shop: Shopping) -> Iterator[Move]:
    """Look at products until one fits, or there is no time for another."""
    match shop.seen.page:
        case ItemPage():
            yield from _judge(shop)
        case ResultsPage():
            yield from _pick(shop)
        case SearchPage():
            yield from _search(shop)
        case TextPage() | None:
            pass
    yield from _buy(shop)


def _judge(shop: Shopping) -> Iterator[Move]:
    """On the page of a product: read more of it, buy it, or look on."""
    fit = shop.fit(shop.seen.here)
    if shop.reads_on():
        yield from _read(shop)
    if shop.settles():
        yield from _buy(shop)
    why = f"shows nothing of: {', '.join(fit.missing)}" if fit.price else "is too expensive"
    yield Move(f"This product {why}. I look at others.", PREV, _ABOUT_OPENING)


def _pick(shop: Shopping) -> Iterator[Move]:
    """On a page of results: open the product that looks best, or go back to the best that was open."""
    best, looks_on = shop.best(), shop.looks_on()
    if best is not None and (shop.fit(best).fits or not looks_on):
        yield from _go_to(shop, best)
    if looks_on or best is None:
        choices = [_opens(shop, each.product) for each in shop.candidates()[:_MOST_CHOICES]]
        yield from [shop.mind.chance.choose(choices), *choices] if choices else []
        yield from [Move("Nothing here fits. I look at the next page.", NEXT, _ABOUT_OPENING)] * shop.seen.more
    yield from (_opens(shop, each.product) for each in shop.candidates())
    yield from _search(shop)


def _search(shop: Shopping) -> Iterator[Move]:
    """Search in words that were not searched for yet."""
    if isinstance(shop.seen.page, SearchPage):
        queries = [query for query in shop.queries() if query not in shop.seen.queries]
        yield from (Move("I search for the words of the goal.", f"search[{query}]", _ABOUT_SEARCH) for query in queries)
    else:
        yield Move("I search again.", BACK, _ABOUT_SEARCH)


def _go_to(shop: Shopping, product: str) -> Iterator[Move]:
    """Open a product; nothing where it is open, or none is named and one is open."""
    page, here = shop.seen.page, shop.seen.here
    if isinstance(page, ItemPage) and product in ("", here):
        return
    if isinstance(page, ResultsPage):
        there = [each.product for each in page.listings if product in ("", each.product)]
        yield from (_opens(shop, each) for each in islice(there, 1))
        if page.number > shop.seen.found_on.get(product, page.number):
            yield Move("It is on a page before this one.", PREV, _ABOUT_OPENING)
    elif isinstance(page, ItemPage):
        yield Move("This is not the product that I want.", PREV, _ABOUT_OPENING)


def _opens(shop: Shopping, product: str) -> Move:
    title = shop.seen.listed[product].title
    return Move(f"{title} looks right, so I open it.", _opening(product), _ABOUT_OPENING)


def _read(shop: Shopping) -> Iterator[Move]:
    """Read what the page of a product does not show."""
    if isinstance(shop.seen.page, ItemPage):
        missing = ", ".join(shop.fit(shop.seen.here).missing)
        for text in shop.unread():
            yield Move(f"The page does not show: {missing}. I read more.", f"click[{text}]", _ABOUT_READING)


def _buy(shop: Shopping) -> Iterator[Move]:
    """Choose what is still to be chosen for the product whose page is open, and buy it."""
    if isinstance(shop.seen.page, ItemPage):
        for value in shop.to_choose():
            yield Move(f"The goal asks for {value}, which I choose.", f"click[{value}]", _ABOUT_CHOOSING)
    if isinstance(shop.seen.page, ItemPage) or shop.seen.chosen:
        yield Move("All is chosen, so I buy it.", BUY, _ABOUT_BUYING)


def _opening(product: str) -> str:
    """The action that opens a product."""
    return f"click[{product.lower()}]"
