"""What a world says its tasks are made of: the same wherever the files lie, and another if anything in them is."""

import json
from pathlib import Path
from shutil import copytree

from msgspec.structs import replace

from quintet.environments.alfworld.games.game import to_bytes
from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.hotpotqa.data import build_pages
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.environments.textcraft.world import TextCraft
from quintet.environments.webshop.data import build_shop, generate_shop
from quintet.environments.webshop.world import WebShop
from quintet.reports.world_tasks import world_tasks
from tests.actors.environments.alfworld import homes
from tests.actors.environments.hotpotqa.records import MILLS, RIVER, write_lines

PINNED = "9d7aaccca4e77ac7"
"""If this changes, so do the digests that `tasks.toml` states of data that are not shipped."""


def test_a_households_are_its_problems_in_either_dialect_and_in_any_folder(tmp_path: Path) -> None:
    game = replace(homes.game(), solvable=True)
    for folder, written in (("one", game), ("two", game), ("three", homes.game(homes.LOOK))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.tw-pddl").write_bytes(to_bytes(written))
    one, two = (AlfWorld(tmp_path / name).content("games") for name in ("one", "two"))
    assert one == two
    assert AlfWorld(tmp_path / "one", dialect="classic").content("games") == {**one, "dialect": "classic"}
    assert AlfWorld(tmp_path / "three").content("games")["games"] != one["games"]
    generated = [AlfWorld().content(split)["games"] for split in AlfWorld().splits]
    assert len(set(generated)) == 3


def test_a_shops_goals_products_and_tagger_are_parts(tmp_path: Path) -> None:
    generate_shop(products=9, goals=9, out=tmp_path / "shop")
    generate_shop(products=9, goals=8, out=tmp_path / "fewer")
    copytree(tmp_path / "shop", tmp_path / "copy")
    build_shop(tmp_path / "shop", out=tmp_path / "built")
    shop, copy, built, fewer = (WebShop(tmp_path / name).content("test") for name in ("shop", "copy", "built", "fewer"))
    assert shop == copy == built
    assert shop["tagger"] == "words"
    assert (fewer["shop"], fewer["goals"] == shop["goals"]) == (shop["shop"], False)


def test_questions_and_corpus_are_parts(tmp_path: Path) -> None:
    for name in ("dev.jsonl", "copy.jsonl"):
        write_lines(tmp_path / name, RIVER, MILLS)
    build_pages(out=tmp_path / "corpus.sqlite", questions=tmp_path / "dev.jsonl")
    build_pages(out=tmp_path / "less.sqlite", questions=write_lines(tmp_path / "river.jsonl", RIVER))
    dev = HotpotQa(tmp_path / "dev.jsonl").content("dev")
    assert dev["questions"] == PINNED
    assert dev == HotpotQa(tmp_path / "copy.jsonl").content("dev")
    assert dev == HotpotQa(tmp_path / "copy.jsonl", corpus=tmp_path / "corpus.sqlite").content("dev")
    other = HotpotQa(tmp_path / "copy.jsonl", corpus=tmp_path / "less.sqlite").content("dev")
    assert (other["questions"], other["corpus"] == dev["corpus"]) == (dev["questions"], False)
    assert HotpotQa(tmp_path / "river.jsonl").content("dev")["questions"] != dev["questions"]


def test_the_shipped_recipes_and_goals_are_the_papers(tmp_path: Path) -> None:
    assert TextCraft().content("test") == world_tasks("textcraft").splits["test"].content
    recipe = {"type": "crafting_shapeless", "ingredients": [{"item": "log"}], "result": {"item": "plank"}}
    (tmp_path / "plank.json").write_text(json.dumps(recipe), encoding="utf-8")
    own = TextCraft(tmp_path)
    assert own.content(own.splits[0])["recipes"] != TextCraft().content("test")["recipes"]
