from pathlib import Path

import pytest

from quintet.environments.webshop.data import build_shop, check_shop, generate_shop
from quintet.errors import UsageError


def test_a_generated_shop_is_checked_and_built(tmp_path: Path) -> None:
    made = generate_shop(products=20, goals=8, out=tmp_path / "shop", seed=5)
    assert sum(sum(counts.values()) for counts in made.counts.values()) == 20
    assert {tuple(counts) for counts in made.counts.values()} == {("1 option", "2 options")}
    checked = check_shop(tmp_path / "shop")
    assert checked.counts == {"test": {"score 1": 4}, "eval": {"score 1": 1}, "train": {"score 1": 3}}
    assert "20 products; the best purchases score 100.0 on average" in checked.notes
    built = build_shop(tmp_path / "shop", out=tmp_path / "one")
    assert built.counts == {"one": {"products": 20}}
    assert check_shop(tmp_path / "one") == checked


def test_a_goal_that_no_purchase_satisfies_is_named(tmp_path: Path) -> None:
    generate_shop(products=3, goals=3, out=tmp_path / "shop")
    file = tmp_path / "shop" / "items_human_ins.json"
    file.write_text(file.read_text("utf-8").replace('"instruction_options":[', '"instruction_options":["granite",', 1))
    checked = check_shop(tmp_path / "shop")
    (warning,) = checked.warnings
    assert "goal: expected a purchase of score 1, got one of score 0." in warning
    assert "product B0Q" in warning


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("items_shuffle.json", '"pricing":"$', '"pricing":"free', "record 1, field pricing"),
        ("items_shuffle.json", '"name":', '"title":', "name.*record 1"),
        ("items_ins_v2.json", '"attributes":[', '"attributes":[3,', r"\$\.attributes\[0\].*record B0Q"),
        ("items_human_ins.json", '"instruction":"', '"instruction":3,"was":"', r"instruction.*record B0Q"),
    ],
)
def test_a_bad_record_is_named_with_its_field(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    generate_shop(products=3, goals=3, out=tmp_path / "shop")
    path = tmp_path / "shop" / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(UsageError, match=said):
        check_shop(tmp_path / "shop")


def test_a_build_overwrites_nothing(tmp_path: Path) -> None:
    generate_shop(products=3, goals=3, out=tmp_path / "shop")
    files = {file: file.read_bytes() for file in (tmp_path / "shop").iterdir()}
    for out, got in ((tmp_path / "shop" / "items_shuffle.json", "one that exists"), (tmp_path / "new.json", ".json")):
        with pytest.raises(UsageError, match=f"--out: expected a new file, got .*{got}"):
            build_shop(tmp_path / "shop", out=out)
    assert {file: file.read_bytes() for file in (tmp_path / "shop").iterdir()} == files


@pytest.mark.parametrize(("products", "goals", "flag"), [(0, 1, "--products"), (1, 10_000_001, "--goals")])
def test_a_number_out_of_range_is_refused(tmp_path: Path, products: int, goals: int, flag: str) -> None:
    with pytest.raises(UsageError, match=f"{flag}: expected 1 to 10,000,000"):
        generate_shop(products=products, goals=goals, out=tmp_path)
