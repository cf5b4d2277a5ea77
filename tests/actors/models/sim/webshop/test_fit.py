import pytest

from quintet.models.sim.draws import Misreading
from quintet.models.sim.webshop.fit import Buyer
from quintet.models.sim.webshop.pages import ItemPage, ListedProduct, Options, ShownPrice
from quintet.models.sim.webshop.picture import SeenProduct
from quintet.models.sim.webshop.wanted import read_wanted

SURE = Misreading(0.0)


def buyer(wording: str, misreading: Misreading = SURE) -> Buyer:
    return Buyer(wording, read_wanted(wording), misreading)


def product(title: str, *texts: str, price: float = 10.0, options: Options = ()) -> SeenProduct:
    page = ItemPage(title, options, (), ShownPrice(price, price))
    return SeenProduct(page, {str(number): text for number, text in enumerate(texts)})


@pytest.mark.parametrize(
    ("wording", "values", "meant"),
    [
        ("shoes in size large", ("small", "large", "x-large"), "large"),
        ("shoes in x-large", ("small", "large", "x-large"), "x-large"),
        ("shoes, size 7, pack of 6", ("6", "7"), "7"),
        ("a 3 ounce bottle", ("travel set (4-pack)", "3 ounce (pack of 1)"), "3 ounce (pack of 1)"),
        ("shoes in blue", ("navy blue", "red"), "navy blue"),
        ("shoes in navy blue", ("blue", "navy blue", "navy"), "navy blue"),
        ("shoes with size: 7.5, and color: red", ("7", "7.5"), "7.5"),
        ("shoes", ("red", "blue"), None),
    ],
)
def test_the_value_is_meant_that_the_words_name(wording: str, values: tuple[str, ...], meant: str | None) -> None:
    found = buyer(wording).meant("B012345678", product("Shoes", options=(("size", values),)))
    assert found.get("size") == meant


def test_a_product_fits_if_its_texts_and_options_show_all_and_its_price_is_low_enough() -> None:
    who = buyer("i need red running shoes with a rubber sole in large, and price lower than 40.00 dollars")
    options = (("color", ("red", "blue")), ("size", ("large",)))
    silent, told = product("Running Shoes", options=options), product("Running Shoes", "Rubber soles", options=options)
    assert who.of_product("A", silent).missing == ("rubber", "sol")
    assert who.of_product("A", told).fits
    assert not who.of_product("A", product("Running Shoes", "Rubber soles", price=40.01, options=options)).fits
    assert who.of_product("A", product("Running Shoes", "Rubber soles", price=40.0, options=options)).fits


def test_another_kind_of_a_value_does_not_show_what_is_wanted() -> None:
    who = buyer("i need shoes in large")
    assert who.of_product("A", product("Shoes", options=(("size", ("x-large",)),))).missing == ("larg",)
    assert not who.of_product("A", product("Shoes", options=(("size", ("large (wide)",)),))).missing


def test_a_title_tells_the_kind_of_product() -> None:
    who = buyer("i want a light weight desk lamp with a usb port for the office")
    lamp, port = (
        ListedProduct("A", title, ShownPrice(5, 5)) for title in ("Lamp", "Light Weight Desk USB Port Office")
    )
    assert who.of_listing(lamp).kind
    assert not who.of_listing(port).kind
    assert who.of_listing(port).share > who.of_listing(lamp).share


def test_each_question_about_a_product_may_be_misread() -> None:
    wording = "i need red shoes, and price lower than 40.00 dollars"
    right, one = buyer(wording), product("Red Shoes", options=(("color", ("red", "blue", "green")),))
    keys = [f"B{number:09}" for number in range(300)]
    misled = buyer(wording, Misreading(0.2))
    fits = [misled.of_product(key, one).fits for key in keys]
    prices = [misled.of_product(key, one).price for key in keys]
    values = [misled.meant(key, one)["color"] for key in keys]
    assert right.of_product(keys[0], one).fits
    assert right.meant(keys[0], one) == {"color": "red"}
    assert 0.12 < prices.count(False) / 300 < 0.28
    assert 0.12 < 1 - values.count("red") / 300 < 0.28
    assert set(values) == {"red", "blue", "green"}
    assert fits.count(False) > prices.count(False) * 0.9
    assert all(buyer(wording, Misreading(1.0)).meant(key, one)["color"] != "red" for key in keys[:20])
