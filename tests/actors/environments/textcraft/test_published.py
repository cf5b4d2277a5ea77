from collections import Counter

from quintet.environments.textcraft.published import paper_goals, paper_table


def test_depths_are_those_of_the_paper() -> None:
    assert Counter(paper_table().depths.values()) == {1: 147, 2: 274, 3: 112, 4: 11}


def test_the_goals_are_200_items_of_depths_2_to_4() -> None:
    depths = paper_table().depths
    assert len(set(paper_goals())) == 200
    assert Counter(depths[goal] for goal in paper_goals()) == {2: 77, 3: 112, 4: 11}


def test_the_goals_stand_in_published_order() -> None:
    assert paper_goals()[:3] == ("polished granite stairs", "hopper minecart", "polished granite slab")
    assert paper_goals()[-1] == "orange terracotta"


def test_nuggets_and_honey_bottles_are_made_and_what_they_are_made_of_is_fetched() -> None:
    table = paper_table()
    assert {"gold ingot", "iron ingot", "honey block"} <= table.fetchable
    assert {"gold nugget", "iron nugget", "honey bottle"} <= table.recipes.keys()


def test_the_first_of_an_ingredients_alternatives_is_taken() -> None:
    (torch,) = paper_table().recipes["torch"]
    assert torch.command == "craft 4 torch using 1 coal, 1 stick"
    assert "charcoal" not in paper_table().fetchable


def test_only_planks_and_wool_are_categories_that_have_to_be_crafted() -> None:
    table = paper_table()
    assert table.members.keys() == {"planks", "wool"}
    assert "oak planks" in table.members["planks"]
    assert len(table.members["planks"]) == 8
    assert {"wooden slabs", "oak logs", "stone tool materials"} <= table.fetchable
    assert not {"planks", "wool"} & table.fetchable
