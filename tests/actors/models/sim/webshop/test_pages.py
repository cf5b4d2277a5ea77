from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.webshop.pages import item_page, results_page, search_page, sub_page
from quintet.environments.webshop.products import Product
from quintet.environments.webshop.texts import INVALID_ACTION, render, said_on_click, score_page
from quintet.models.sim.webshop.pages import (
    ItemPage,
    ListedProduct,
    ResultsPage,
    SearchPage,
    ShopAnswer,
    ShownPrice,
    TextPage,
    read_page,
)

WORDS = st.lists(
    st.sampled_from(["wide", "blue lamp", "(2 pack)", "7.5", "x-large", "[new]", "- 100%"]), min_size=1
).map(" ".join)
VALUES = st.lists(
    st.sampled_from(["s", "x-large", "dark blue", "3 ounce (pack of 1)", '28" x 28"']), min_size=1, unique=True
)


@st.composite
def products(draw: st.DrawFn) -> Product:
    low, more = draw(st.integers(1, 9999)), draw(st.integers(0, 999))
    text = f"${low / 100}" + (f" to ${(low + more) / 100}" if more else "")
    names = draw(st.lists(st.sampled_from(["size", "color", "flavor name"]), unique=True))
    return Product(
        asin=draw(st.from_regex(r"\AB0[A-Z0-9]{8}\Z")),
        title=draw(WORDS),
        description=draw(WORDS),
        bullets=tuple(draw(st.lists(WORDS, max_size=3))),
        price_text=text,
        price_range=(low / 100, (low + more) / 100),
        options={name: tuple(draw(VALUES)) for name in names},
        category="",
        query="",
        product_category="",
        attributes=(),
    )


@given(products())
def test_a_product_is_read_as_the_shop_shows_it(product: Product) -> None:
    chosen = [(name, values[0]) for name, values in product.options.items()][:1]
    page = read_page(render(item_page(product, chosen), "client"))
    assert isinstance(page, ItemPage)
    assert page.title == product.title
    assert dict(page.options) == product.options
    assert list(page.chosen) == [value for _, value in chosen]
    assert (page.price.low, page.price.high) == product.price_range


@given(st.lists(products(), max_size=4, unique_by=lambda product: product.asin), st.integers(1, 5), st.booleans())
def test_results_are_read_as_the_shop_shows_them_also_on_one_line(
    found: list[Product], number: int, more: bool
) -> None:
    text = render(results_page(found, number, 50, more=more), "client")
    listings = tuple(ListedProduct(each.asin, each.title, ShownPrice(*each.price_range)) for each in found)
    for shown in (text, " ".join(text.split())):
        assert read_page(shown) == ResultsPage(number, 50, listings, more)


def test_a_page_on_one_line_tells_options_from_brackets_in_a_title() -> None:
    shown = (
        "[Back to Search] [< Prev] size [s][m] color [[red]][blue] A Very Wide Blue Lamp [new] Price: $1.5 [Buy Now]"
    )
    page = ItemPage(
        "A Very Wide Blue Lamp [new]",
        (("size", ("s", "m")), ("color", ("red", "blue"))),
        ("red",),
        ShownPrice(1.5, 1.5),
    )
    assert read_page(shown) == page


@given(products())
def test_texts_of_a_product_are_read(product: Product) -> None:
    page = read_page(render(sub_page(product, "features"), "client"))
    assert page == TextPage(" ".join(product.bullets))


def test_everything_else_that_the_shop_says_is_read() -> None:
    assert read_page(render(search_page("red shoes"), "client")) == SearchPage()
    assert read_page(INVALID_ACTION) == ShopAnswer("invalid")
    assert read_page(said_on_click("dark blue")) == ShopAnswer("clicked", "dark blue")
    assert read_page(said_on_click("buy now")) == ShopAnswer("bought")
    assert read_page(score_page(0.5, "client")) == read_page(score_page(0.5, "gym")) == ShopAnswer("bought", score=0.5)
    for other in ("", "(nothing)", "Nothing happens.", "OK."):
        assert read_page(other) is None


NAMED = st.lists(st.sampled_from(["blue lamp", "(2 pack)", "7.5", "x-large", "- 100%"]), min_size=1).map(" ".join)


@given(products(), NAMED)
def test_the_released_environments_form_is_read_alike(product: Product, title: str) -> None:
    product = replace(product, title=title)
    for parts in (item_page(product, ()), results_page([product], 2, 50, more=True), search_page("red shoes")):
        assert read_page(render(parts, "gym")) == read_page(render(parts, "client"))
