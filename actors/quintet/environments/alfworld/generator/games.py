"""Games generated from their names alone. Each is solved before it is returned."""

from msgspec.structs import replace

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan
from quintet.environments.alfworld.games.dialect import NEW, GameDialect, domain_text, grammar_text
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.generator.names import TaskName
from quintet.environments.alfworld.generator.placement import arrange_things
from quintet.environments.alfworld.generator.problem import problem
from quintet.environments.alfworld.generator.rooms import room
from quintet.environments.alfworld.generator.tables import random_for
from quintet.errors import UsageError


def generate_game(name: TaskName, dialect: GameDialect = NEW) -> Game:
    """The game of a name, the same in every process, with the actions that solve it.

    Raises:
        UsageError: it cannot be solved, or is solved at the start. This happens to no built-in task.
    """
    random = random_for(str(name))
    sentence = name.objective.sentence(random.randrange(2))
    here = room(name.scene)
    game = Game(
        pddl_domain=domain_text(dialect),
        grammar=grammar_text(dialect, f"Your task is to: {sentence}."),
        pddl_problem=problem(name.trial, here, arrange_things(here, name.objective, random), name.objective),
    )
    house = household(game)
    walkthrough = None if house.goal.reached(house.begin) else expert_plan(house, house.begin)
    if walkthrough is None:
        raise UsageError(f"task: expected one that can be solved and is not solved at the start, got {name} (alfworld)")
    return replace(game, walkthrough=walkthrough, solvable=True)
