"""The made-up shop, and shops of files."""

from pathlib import Path

import pytest

from quintet.environments.webshop.catalogue.catalogue import build_catalogue
from quintet.environments.webshop.generator.layout import write_shop
from quintet.environments.webshop.generator.wishes import wanted_products
from quintet.environments.webshop.goals.instructions import pack
from quintet.environments.webshop.shop.open import Shop, ShopFiles, locate, open_shop, priced, read_shop_files
from quintet.errors import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_shop(tmp_path / "shop", wanted_products(20, 12, seed=3))
    return tmp_path / "shop"


def instructions(shop: Shop) -> list[str]:
    return [goal.instruction for goals in shop.goals.values() for goal in goals.values()]


def test_the_made_up_shop_is_the_same_for_everyone() -> None:
    # Raise nothing, but know that figures of before are of another shop, when this changes.
    assert open_shop().version == "human-c07560a6-31cd5efb70835cbc"
    assert open_shop(goals="synthetic").version == "synthetic-a0976ece-31cd5efb70835cbc"


@pytest.mark.parametrize("shape", ["human", "synthetic"])
def test_the_made_up_shop_has_500_products_and_500_goals(shape: str) -> None:
    shop = open_shop(goals=shape)  # type: ignore[arg-type]
    assert len(shop.catalogue) == 500
    assert {split: len(shop.tasks(split)) for split in shop.splits} == {
        "test": 200,
        "eval": 100,
        "train": 200,
        "adapt": 100,
        "adapt-dev": 40,
    }
    assert shop.tasks("test")[:2] == ("shop-0", "shop-1")
    assert len({*instructions(shop)}) >= 498


def test_splits_have_all_categories_and_numbers_of_options() -> None:
    shop = open_shop()
    for split in ("test", "eval", "train"):
        found = [shop.metadata(task) for task in shop.tasks(split)]
        assert len({each["category"] for each in found}) == 12
        assert {each["options"] for each in found} == {"0", "1", "2", "3+"}


def test_a_folder_of_official_files_and_the_file_built_of_it_are_one_shop(folder: Path) -> None:
    products, asked = read_shop_files(locate(folder))
    built = folder.parent / "shop.bin"
    build_catalogue(built, priced(products), pack(asked))
    for goals in ("human", "synthetic"):
        one, other = open_shop(folder, goals), open_shop(built, goals)
        assert one.version == other.version
        assert one.goals == other.goals
        assert len(one.catalogue) == 20


def test_official_goals_are_named_by_shape_and_place(folder: Path) -> None:
    for name in ("items_shuffle", "items_ins_v2", "items_human_ins"):
        file = folder / f"{name}.json"
        file.write_text(file.read_text("utf-8").replace('"B0Q', '"B09'), "utf-8")
    assert open_shop(folder).tasks("test") == tuple(f"human-{place}" for place in range(5))
    assert open_shop(folder, "synthetic").tasks("test")[0] == "synthetic-0"


def test_instructions_about_products_that_are_not_there_are_passed_over(folder: Path) -> None:
    shop = folder / "items_shuffle.json"
    first, *rest = shop.read_text("utf-8").splitlines()[1:-1]
    shop.write_text("[" + "\n".join(rest) + "]", "utf-8")
    assert len(instructions(open_shop(folder))) < len(instructions(open_shop(folder, "synthetic")))
    assert first.split('"')[3] not in {goal.asin for goal in open_shop(folder).goals["test"].values()}


@pytest.mark.parametrize("keep", ["items_human_ins.json", "items_ins_v2.json"])
def test_a_shop_without_goals_of_the_shape_is_refused(folder: Path, keep: str) -> None:
    shape = {"items_human_ins.json": "human", "items_ins_v2.json": "synthetic"}[keep]
    (folder / keep).write_text("{}")
    with pytest.raises(
        UsageError, match=f"goals: expected {shape} ones about products that are there, got none; .*{keep}"
    ):
        open_shop(folder, shape)  # type: ignore[arg-type]


def touched(path: Path, *names: str) -> Path:
    for name in names:
        (path / name).touch()
    return path


_PLAIN = ("items_shuffle", "items_ins_v2", "items_human_ins")
_SHORT = ("items_shuffle_1000", "items_ins_v2_1000")


@pytest.mark.parametrize(
    ("there", "named", "found"),
    [
        ((*_PLAIN, _SHORT[0]), "", _PLAIN),
        ((*_PLAIN[:2], *_SHORT), "items_shuffle_1000.json", _SHORT),
        (_SHORT, "", _SHORT),
        (("mine", _PLAIN[1]), "mine.json", ("mine", _PLAIN[1])),
    ],
    ids=["plain names", "of its variant", "the only ones", "a name of its own"],
)
def test_official_files_are_found_by_their_names(
    tmp_path: Path, there: tuple[str, ...], named: str, found: tuple[str, ...]
) -> None:
    here = touched(tmp_path, *(f"{name}.json" for name in there))
    paths = [here / f"{name}.json" for name in found]
    assert locate(here / named) == ShopFiles(paths[0], paths[1], paths[2] if len(paths) > 2 else None)


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
        locate(touched(tmp_path, *names))


def test_a_built_file_is_no_official_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected official files, got one that is built already, or no \.json.*shop"):
        locate(touched(tmp_path, "shop", "items_ins_v2.json") / "shop")
    with pytest.raises(UsageError, match=r"expected a folder or a file, got nothing there.*nowhere"):
        locate(tmp_path / "nowhere")
