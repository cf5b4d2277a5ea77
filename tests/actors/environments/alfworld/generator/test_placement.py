"""Things at first, by the rules and away from their goal."""

from random import Random
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.generator.objectives import TASK_TYPES, Objective, possible
from quintet.environments.alfworld.generator.placement import Arrangement, arrange_things
from quintet.environments.alfworld.generator.rooms import room, scenes
from quintet.environments.alfworld.generator.tables import RoomKind, things

_TASKS = [
    (objective, scene)
    for kind in get_args(RoomKind)
    for scene in (*scenes(kind, unseen=False)[::9], *scenes(kind, unseen=True))
    for task_type in TASK_TYPES
    for objective in possible(task_type, scene)
]
tasks = given(st.sampled_from(_TASKS), st.integers(min_value=0, max_value=2**32))


def arrangement(task: tuple[Objective, int], seed: int) -> Arrangement:
    return arrange_things(room(task[1]), task[0], Random(seed))


@tasks
def test_everything_lies_where_the_rules_let_it(task: tuple[Objective, int], seed: int) -> None:
    for each in arrangement(task, seed).placed:
        assert "take" in things()[each.type].allows
        assert each.receptacle is None or each.receptacle.type in things()[each.type].receptacles
        assert each.receptacle is None or each.standing == each.receptacle.standing


@tasks
def test_what_is_asked_for_is_there_often_enough_and_not_where_it_is_to_go(
    task: tuple[Objective, int], seed: int
) -> None:
    objective, _ = task
    wanted = [each for each in arrangement(task, seed).placed if each.type == objective.thing]
    assert len(wanted) >= objective.number
    assert all(each.receptacle is not None and each.receptacle.type != objective.target for each in wanted)


@tasks
def test_the_agent_starts_away_from_every_receptacle(task: tuple[Objective, int], seed: int) -> None:
    here = room(task[1])
    assert arrangement(task, seed).start not in {each.standing.location for each in here.receptacles}


@tasks
def test_no_two_things_have_one_name(task: tuple[Objective, int], seed: int) -> None:
    here = room(task[1])
    names = [each.id for each in arrangement(task, seed).placed]
    names += [*(each.id for each in here.fixtures), *(each.id for each in here.receptacles)]
    assert len(names) == len(set(names))


@tasks
def test_what_lies_in_a_thing_may_lie_there(task: tuple[Objective, int], seed: int) -> None:
    found = arrangement(task, seed)
    by_name = {each.id: each for each in found.placed}
    for inner, outer in found.inside:
        assert by_name[outer].type in things()[by_name[inner].type].vessels
        assert by_name[outer].receptacle == by_name[inner].receptacle


@tasks
def test_only_things_in_a_fridge_are_cool_and_none_that_is_asked_for(task: tuple[Objective, int], seed: int) -> None:
    found = arrangement(task, seed)
    for each in found.placed:
        if each.id in found.cool:
            assert each.type != task[0].thing
            assert each.receptacle is not None
            assert each.receptacle.type == "Fridge"
