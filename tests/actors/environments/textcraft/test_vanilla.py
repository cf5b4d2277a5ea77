import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quintet.environments.textcraft import recipes
from quintet.environments.textcraft.recipes import Need
from quintet.environments.textcraft.vanilla import read_recipes
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.messages.environment import Task

PAPERS_TABLE = Path(recipes.__file__).with_name("recipes.tsv")

STICKS = {
    "type": "minecraft:crafting_shaped",
    "group": "sticks",
    "pattern": ["#", "#"],
    "key": {"#": {"tag": "minecraft:planks"}},
    "result": {"item": "minecraft:stick", "count": 4},
}


def write(folder: Path, **recipes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in recipes.items():
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(content))
    return folder


def the_papers_folder(folder: Path) -> Path:
    """The paper's recipes as files, written in no particular order."""
    lines = [line for line in PAPERS_TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    numbered = list(enumerate(lines))
    random.Random(5).shuffle(numbered)
    for number, line in numbered:
        made, count, group, needs = line.split("\t")
        ingredients = [one for need in needs.split(", ") for one in _repeated(need)]
        content = {
            "type": "minecraft:crafting_shapeless",
            **({} if group == "-" else {"group": group.replace(" ", "_")}),
            "ingredients": ingredients,
            "result": {"item": _id(made), **({} if count == "1" else {"count": int(count)})},
        }
        write(folder, **{f"{made.replace(' ', '_')}_{number:03}": content})
    return folder


def _repeated(need: str) -> list[Any]:
    count, alternatives = need.split(" ", 1)
    found = [
        {"tag" if one.startswith("#") else "item": _id(one.removeprefix("#"))} for one in alternatives.split(" / ")
    ]
    return [found if len(found) > 1 else found[0]] * int(count)


def _id(name: str) -> str:
    return "minecraft:" + name.replace(" ", "_")


def test_the_games_own_files_give_the_papers_world(tmp_path: Path) -> None:
    world = TextCraft(the_papers_folder(tmp_path))
    assert world.version == TextCraft().version
    assert [world.tasks(split) for split in world.splits] == [TextCraft().tasks(split) for split in ("test", "dev")]
    task = Task(name="beehive", seed=3)
    assert world.open(task).opening == TextCraft().open(task).opening


def test_a_shaped_recipe_counts_the_cells_of_its_pattern(tmp_path: Path) -> None:
    fence = {
        "type": "crafting_shaped",
        "pattern": ["WSW", "W W"],
        "key": {"S": {"item": "stick"}, "W": [{"item": "minecraft:oak_planks"}, {"item": "minecraft:elm_planks"}]},
        "result": "minecraft:oak_fence",
    }
    (recipe,) = read_recipes(write(tmp_path, fence=fence))
    assert recipe.needs == (Need(1, "stick"), Need(4, "oak planks"))
    assert (recipe.makes, recipe.count, recipe.group) == ("oak fence", 1, None)


def test_two_symbols_for_one_ingredient_are_one_ingredient(tmp_path: Path) -> None:
    crate = STICKS | {"pattern": ["#+"], "key": {"#": {"tag": "planks"}, "+": {"tag": "planks"}}}
    assert read_recipes(write(tmp_path, crate=crate))[0].needs == (Need(2, "planks", category=True),)


def test_files_are_read_by_name_in_reverse_order(tmp_path: Path) -> None:
    names = ["b", "c", "a"]
    recipes = {name: STICKS | {"result": {"item": f"minecraft:{name}"}} for name in names}
    assert [recipe.makes for recipe in read_recipes(write(tmp_path, **recipes))] == ["c", "b", "a"]


def test_recipes_of_other_kinds_and_other_files_are_passed_over_and_a_folder_above_will_do(tmp_path: Path) -> None:
    smelting = {"type": "minecraft:smelting", "ingredient": {"item": "minecraft:sand"}, "result": "minecraft:glass"}
    write(
        tmp_path / "recipes",
        stick=STICKS,
        glass=smelting,
        banner={"type": "minecraft:crafting_special_bannerduplicate"},
    )
    (tmp_path / "recipes" / "README.md").write_text("not a recipe", encoding="utf-8")
    assert [recipe.makes for recipe in read_recipes(tmp_path)] == ["stick"]


def test_an_item_of_a_mod_keeps_its_namespace(tmp_path: Path) -> None:
    gear = STICKS | {"key": {"#": {"tag": "forge:ingots/brass"}}, "result": {"item": "mod:brass_gear"}}
    state = TextCraft(write(tmp_path, gear=gear, gears=_from_gear())).open(Task(name="clock", seed=0))
    assert state.step("get 2 forge:ingots/brass").observation == "Got 2 forge:ingots/brass"
    assert state.step("craft mod:brass gear using 2 forge:ingots/brass").observation == "Crafted 1 mod:brass_gear"
    assert state.step("craft clock using 1 mod:brass gear").reward == 1.0


def _from_gear() -> dict[str, Any]:
    return {"type": "crafting_shapeless", "ingredients": [{"item": "mod:brass_gear"}], "result": {"item": "clock"}}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"type": 3}',
        b"[" * 100_000,
        msgspec.json.encode({"type": "minecraft:crafting_shaped"}),
        msgspec.json.encode(STICKS | {"pattern": ["#+"]}),
        msgspec.json.encode(STICKS | {"pattern": ["    "]}),
        msgspec.json.encode(STICKS | {"pattern": [" "]}),
        msgspec.json.encode(STICKS | {"key": {"#": {}}}),
        msgspec.json.encode(STICKS | {"key": {"#": []}}),
        msgspec.json.encode(STICKS | {"key": {"#": {"item": "a", "tag": "b"}}}),
        msgspec.json.encode(STICKS | {"key": {"#": {"item": "A, B"}}}),
        msgspec.json.encode(STICKS | {"result": {"item": "stick", "count": 0}}),
        msgspec.json.encode(STICKS | {"result": {"item": "a/b"}}),
        msgspec.json.encode({"type": "crafting_shapeless", "ingredients": [], "result": "stick"}),
    ],
)
def test_a_file_that_is_no_recipe_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    with pytest.raises(UsageError, match=r"expected a recipe of Minecraft 1\.16, got .*odd\.json"):
        read_recipes(tmp_path)


def test_with_other_items_the_split_that_has_any_comes_first(tmp_path: Path) -> None:
    gear = STICKS | {"key": {"#": {"tag": "logs"}}, "result": {"item": "mod:brass_gear"}}
    world = TextCraft(write(tmp_path, gear=gear, gears=_from_gear()))
    assert world.splits == ("dev", "test")
    assert world.tasks("test") == ()
    assert world.tasks("dev") == ("clock",)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("empty", "expected crafting recipes .*got none.*empty"),
        ("nowhere", "expected a folder to read, got No such file.*nowhere"),
        ("file", "expected a folder to read, got Not a directory.*file"),
        ("odd", r"expected a readable file, got .*folder\.json"),
    ],
)
def test_a_folder_or_file_that_cannot_be_used_is_named(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "odd" / "folder.json").mkdir(parents=True)
    with pytest.raises(UsageError, match=said):
        read_recipes(tmp_path / name)
