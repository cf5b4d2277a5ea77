"""Official product files: read as the released code reads them, and refused by record and field."""

import json
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.webshop.products import Product, read_products
from quintet.errors import UsageError


def record(asin: str = "B000000001", **fields: Any) -> dict[str, Any]:
    """A record of the official file, made up."""
    return {
        "name": "Canvas Tote",
        "product_information": {"Weight": "1 lb"},
        "brand": "Marl",
        "full_description": "A Tote.",
        "small_description": ["Holds 20 l", "Inner pocket"],
        "pricing": "$12.50",
        "images": ["https://example.invalid/1.jpg"],
        "product_category": "Clothing › Bags › Totes",
        "asin": asin,
        "customization_options": {"Color": [{"is_selected": True, "value": " Navy/White ", "image": None}]},
        "category": "fashion",
        "query": " Tote Bags",
    } | fields


def _read(path: Path, *records: object) -> list[Product]:
    file = path / "items.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return list(read_products(file, {"B000000001": ("inner pocket",)}))


def test_a_record_is_read_as_the_released_code_reads_it_which_leaves_out_long_ids_and_those_seen(
    tmp_path: Path,
) -> None:
    assert _read(tmp_path, record(), record(name="Other"), record("nan"), record("B0000000011")) == [
        Product(
            asin="B000000001",
            title="Canvas Tote",
            description="A Tote.",
            bullets=("Holds 20 l", "Inner pocket"),
            price_text="$12.5",
            price_range=(12.5, 12.5),
            options={"color": ("navy | white",)},
            category="fashion",
            query="tote bags",
            product_category="Clothing › Bags › Totes",
            attributes=("inner pocket",),
        )
    ]


@pytest.mark.parametrize(
    ("pricing", "text", "prices"),
    [
        (None, "$100.0", (100.0, 100.0)),
        ("", "$100.0", (100.0, 100.0)),
        ("$1,299.00", "$1299.0", (1299.0, 1299.0)),
        ("$7.07$8.23", "$7.07 to $8.23", (7.07, 8.23)),
        ("$7.07 - $8.23 - $9.00", "$7.07 to $8.23", (7.07, 8.23)),
    ],
)
def test_prices_are_shown_as_the_released_code_shows_them(
    pricing: str | None, text: str, prices: tuple[float, float], tmp_path: Path
) -> None:
    (found,) = _read(tmp_path, record(pricing=pricing))
    assert (found.price_text, found.price_range) == (text, prices)


def test_options_may_be_missing_and_one_text_is_one_feature(tmp_path: Path) -> None:
    rest = record(small_description="One", customization_options={"Size": None, "Fit": [{"value": "Wide"}]})
    none = record("B000000002", customization_options=None)
    empty = record("B000000003", customization_options="")
    found = _read(tmp_path, rest, none, empty)
    assert [(each.bullets, each.options) for each in found] == [
        (("One",), {"fit": ("wide",)}),
        (("Holds 20 l", "Inner pocket"), {}),
        (("Holds 20 l", "Inner pocket"), {}),
    ]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"name": None}, r"got: Expected `str`, got `null` - at `\$.name` \(.*items.json, record 2\)"),
        ({"asin": "b00000000a"}, r"an id of capitals and digits, got 'b00000000a' \(.*record 2, field asin\)"),
        ({"asin": "ÄÖ"}, r"got 'ÄÖ'"),
        ({"asin": ""}, r"got ''"),
        ({"asin": "NEXT >"}, r"got 'NEXT >'"),
        ({"asin": 7}, r"Expected `str`, got `int` - at `\$.asin`"),
        ({"small_description": [1]}, r"Expected `str`, got `int` - at `\$.small_description"),
        ({"customization_options": {"Size": [{"name": "x"}]}}, r"missing required field `value` - at `\$.customiz"),
        ({"customization_options": "wide"}, r"expected options by name, got \"wide\" \(.*record 2, field customiz"),
        ({"pricing": "free"}, r"expected a price as \$10.99 or .*, got 'free' \(.*record 2, field pricing\)"),
        ({"pricing": "$" + "9" * 400}, r"expected a price as .*record 2, field pricing\)"),
        ({"pricing": "$1.2.3"}, r"got '\$1.2.3' \(.*record 2, field pricing\)"),
    ],
)
def test_a_record_of_another_schema_is_named_with_its_field(broken: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        _read(tmp_path, record(), record("B000000002") | broken)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"expected a file, got No such file or directory \(.*items.json\)"),
        (b"", "expected a JSON list, got an empty file"),
        (b'[{"asin": "B0', "expected a JSON list of records, got: Input data was truncated"),
        (b'{"asin": "B0"}', "got: Expected `array`, got `object`"),
        (b"\xff\xfe[]", "expected a JSON list of records, got: "),
    ],
)
def test_a_file_that_is_missing_cut_off_or_no_list_is_refused(content: bytes | None, said: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "items.json").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        list(read_products(tmp_path / "items.json", {}))
