"""Things at first, by the rules and away from their goal."""

from random import Random
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.generator.objectives import TASK_TYPES, Objective, possible
from quintet.environments.alfworld.generator.placement import arrange_things
from quintet.environments.alfworld.generator.rooms import room, scenes
from quintet.environments.alfworld.generator.tables import RoomKind, things

_TASKS = [
    (objective, scene)
    for kind in get_args(RoomKind)
    for scene in (*scenes(kind, unseen=False)[::9], *scenes(kind, unseen=True))
    for task_type in TASK_TYPES
    for objective in possible(task_type, scene)
]


@given(st.sampled_from(_TASKS), st.integers(min_value=0, max_value=2**32))
def test_things_lie_where_the_rules_let_them_and_those_asked_for_away_from_their_goal(
    task: tuple[Objective, int], seed: int
) -> None:
    objective, here = task[0], room(task[1])
    found = arrange_things(here, objective, Random(seed))
    for each in found.placed:
        assert "take" in things()[each.type].allows
        assert each.receptacle is None or each.receptacle.type in things()[each.type].receptacles
        assert each.receptacle is None or each.standing == each.receptacle.standing
    wanted = [each for each in found.placed if each.type == objective.thing]
    assert len(wanted) >= objective.number
    assert all(each.receptacle is not None and each.receptacle.type != objective.target for each in wanted)
    assert found.start not in {each.standing.location for each in here.receptacles}
    names = [*(each.id for each in (*found.placed, *here.fixtures)), *(each.id for each in here.receptacles)]
    assert len(names) == len(set(names))
    by_name = {each.id: each for each in found.placed}
    for inner, outer in found.inside:
        assert by_name[outer].type in things()[by_name[inner].type].vessels
        assert by_name[outer].receptacle == by_name[inner].receptacle
    for cool in map(by_name.__getitem__, found.cool):
        assert cool.type != objective.thing
        assert cool.receptacle is not None
        assert cool.receptacle.type == "Fridge"
