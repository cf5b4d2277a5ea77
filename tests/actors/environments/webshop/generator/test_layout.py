import json
from pathlib import Path

import pytest

from quintet.environments.webshop.generator.layout import write_shop
from quintet.environments.webshop.generator.wishes import wanted_products
from quintet.environments.webshop.shop.open import locate, read_shop_files
from quintet.errors import UsageError


def test_a_written_shop_is_read_back_as_it_was(tmp_path: Path) -> None:
    shop = list(wanted_products(60, 30, seed=7))
    write_shop(tmp_path / "new", shop)
    products, instructions = read_shop_files(locate(tmp_path / "new"))
    assert list(products) == [each.product for each in shop]
    assert instructions.human == {each.product.asin: each.human for each in shop if each.human}
    assert instructions.synthetic == {each.product.asin: each.synthetic for each in shop}


def test_records_have_the_fields_that_the_released_code_reads(tmp_path: Path) -> None:
    write_shop(tmp_path, wanted_products(3, 3, seed=0))
    for record in json.loads((tmp_path / "items_shuffle.json").read_text("utf-8")):
        assert {"asin", "name", "full_description", "small_description", "pricing", "images"} <= {*record}
        assert {"category", "query", "product_category", "customization_options"} <= {*record}
        assert isinstance(record["images"][0], str)


def test_a_folder_with_files_in_it_or_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="--out: expected a new or empty folder"):
        write_shop(tmp_path, wanted_products(1, 1, seed=0))
    with pytest.raises(UsageError, match="--out: expected a folder that can be written"):
        write_shop(tmp_path / "file" / "below", wanted_products(1, 1, seed=0))
