from quintet.environments.textcraft.recipes import Need, Recipe, identifier


def test_a_command_lists_the_ingredients_in_their_order() -> None:
    recipe = Recipe(makes="oak fence", count=3, group="wooden fence", needs=(Need(4, "oak planks"), Need(2, "stick")))
    assert recipe.command == "craft 3 oak fence using 4 oak planks, 2 stick"


def test_an_identifier_is_the_games_own_name() -> None:
    assert identifier("oak planks") == "minecraft:oak_planks"
    assert identifier("mod:brass gear") == "mod:brass_gear"
