from pathlib import Path

import pytest

from quintet.environments.webshop.shop.files import ShopFiles, locate
from quintet.errors import UsageError


def folder(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).touch()
    return path


def test_the_plain_official_names_are_found(tmp_path: Path) -> None:
    here = folder(
        tmp_path, "items_shuffle.json", "items_shuffle_1000.json", "items_ins_v2.json", "items_human_ins.json"
    )
    assert locate(here) == ShopFiles(
        here / "items_shuffle.json", here / "items_ins_v2.json", here / "items_human_ins.json"
    )


def test_a_file_of_products_takes_the_attributes_of_its_variant(tmp_path: Path) -> None:
    here = folder(
        tmp_path, "items_shuffle.json", "items_shuffle_1000.json", "items_ins_v2.json", "items_ins_v2_1000.json"
    )
    found = locate(here / "items_shuffle_1000.json")
    assert found == ShopFiles(here / "items_shuffle_1000.json", here / "items_ins_v2_1000.json", None)


def test_the_only_file_of_a_kind_is_taken_whatever_its_variant(tmp_path: Path) -> None:
    here = folder(tmp_path, "items_shuffle_1000.json", "items_ins_v2_1000.json")
    assert locate(here).products.name == "items_shuffle_1000.json"
    assert locate(here).notes.name == "items_ins_v2_1000.json"


def test_a_file_of_products_may_have_a_name_of_its_own(tmp_path: Path) -> None:
    here = folder(tmp_path, "mine.json", "items_ins_v2.json")
    assert locate(here / "mine.json").products == here / "mine.json"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), r"expected one file items_shuffle\*.json, got none"),
        (("items_shuffle.json",), r"expected one file items_ins_v2\*.json, got none"),
        (
            ("items_shuffle_a.json", "items_shuffle_b.json"),
            r"items_shuffle\*.json, got items_shuffle_a.json, items_shuffle_b.json",
        ),
    ],
)
def test_a_missing_file_is_named(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        locate(folder(tmp_path, *names))


def test_a_built_file_is_no_official_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected official files, got one that is built already, or no \.json.*shop"):
        locate(folder(tmp_path, "shop", "items_ins_v2.json") / "shop")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected a folder or a file, got nothing there.*nowhere"):
        locate(tmp_path / "nowhere")
