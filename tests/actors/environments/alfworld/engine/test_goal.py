"""The goal test, held to a plain evaluation of the same condition."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.environments.alfworld.engine.goal import compile_goal
from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.games.game import ForeignGameError
from quintet.environments.alfworld.games.pddl import Expression, Problem, read_declarations, read_problem
from tests.actors.environments.alfworld import homes

THINGS = ("x", "y", "z")
BOXES = ("p", "q")
NUMBERS = {
    "object": {name: number for number, name in enumerate(THINGS)},
    "receptacle": {name: number for number, name in enumerate(BOXES)},
}
TYPES = {**dict.fromkeys(THINGS, "object"), **dict.fromkeys(BOXES, "receptacle")}
STILL = {"heatable": [("x",), ("y",)], "openable": [("q",)]}


def plainly(condition: Expression, now: HouseholdState, names: dict[str, str]) -> bool:
    """What a condition means, tried out in the simplest way."""
    match condition:
        case ():
            return True
        case ("and", *parts):
            return all(plainly(part, now, names) for part in parts if not isinstance(part, str))
        case ("or", *parts):
            return any(plainly(part, now, names) for part in parts if not isinstance(part, str))
        case ("not", tuple(part)):
            return not plainly(part, now, names)
        case ("exists", tuple(variables), tuple(part)):
            kinds = read_declarations(variables)
            choices = product(*([each for each, kind in TYPES.items() if kind == wanted] for wanted in kinds.values()))
            return any(plainly(part, now, {**names, **dict(zip(kinds, choice, strict=True))}) for choice in choices)
        case (str(predicate), *terms):
            return fact(predicate, [names.get(str(term), str(term)) for term in terms], now)
        case _:
            raise AssertionError(condition)


def fact(predicate: str, names: list[str], now: HouseholdState) -> bool:
    if predicate == "=":
        return names[0] == names[1]
    if predicate in STILL:
        return (names[0],) in STILL[predicate]
    if predicate == "inreceptacle":
        return NUMBERS["object"][names[0]] in now.contents[NUMBERS["receptacle"][names[1]]]
    return NUMBERS["object"][names[0]] in {"ishot": now.hot, "isclean": now.clean}[predicate]


def conditions(scope: tuple[tuple[str, str], ...], depth: int) -> st.SearchStrategy[Expression]:
    """Conditions over the variables in scope, given as name and type, and over the things by their names."""
    things = [name for name, kind in scope if kind == "object"] + ["x"]
    boxes = [name for name, kind in scope if kind == "receptacle"] + ["q"]
    facts = st.one_of(
        st.tuples(st.sampled_from(["heatable", "ishot", "isclean"]), st.sampled_from(things)),
        st.tuples(st.just("openable"), st.sampled_from(boxes)),
        st.tuples(st.just("inreceptacle"), st.sampled_from(things), st.sampled_from(boxes)),
        st.tuples(st.just("="), st.sampled_from(things), st.sampled_from(things)),
        st.tuples(st.just("not"), st.tuples(st.just("="), st.sampled_from(things), st.sampled_from(things))),
    )
    if depth == 0:
        return facts
    inner = st.deferred(lambda: conditions(scope, depth - 1))
    variable = st.sampled_from([(f"?v{depth}", "object"), (f"?v{depth}", "receptacle")])
    bound = variable.flatmap(
        lambda new: st.tuples(st.just("exists"), st.just((new[0], "-", new[1])), conditions((*scope, new), depth - 1))
    )
    return st.one_of(
        facts,
        st.tuples(st.sampled_from(["and", "or"]), inner, inner),
        bound,
    )


subsets = st.frozensets(st.integers(0, 2))
rows = subsets.map(lambda those: tuple(sorted(those)))
situations = st.builds(
    HouseholdState, place=st.just(0), contents=st.tuples(rows, rows), beside=st.just(()), hot=subsets, clean=subsets
)


@given(conditions((), 4), st.lists(situations, min_size=1, max_size=5))
def test_a_compiled_condition_means_what_it_says(condition: Expression, those: list[HouseholdState]) -> None:
    goal = compile_goal(Problem(TYPES, STILL, condition), NUMBERS)
    assert [goal.reached(now) for now in those] == [plainly(condition, now, {}) for now in those]


@pytest.mark.parametrize(
    "goal",
    [
        "(not (isHot Apple_bar_1))",
        "(forall (?o - object) (isHot ?o))",
        "(imply (isHot Apple_bar_1) (isHot Apple_bar_2))",
    ],
)
def test_negative_and_universal_goals_are_left_to_the_official_engine(goal: str) -> None:
    with pytest.raises(ForeignGameError, match="expected a goal of"):
        homes.home(goal)


def test_a_goal_with_too_many_cases_is_left_to_the_official_engine() -> None:
    named = "".join(f"?v{number} " for number in range(9))
    with pytest.raises(ForeignGameError, match="expected a goal of at most 10,000,000 cases to try, got 40,353,607"):
        homes.home(f"(exists ({named}- object) (and (isHot ?v0) (isToggled ?v8)))")


def test_a_goal_may_be_a_plain_fact() -> None:
    problem = read_problem(homes.problem("(isSliced Apple_bar_1)"))
    goal = compile_goal(problem, {"object": {"apple_bar_1": 5}})
    now = HouseholdState(place=0, contents=(), beside=())
    assert not goal.reached(now)
    assert goal.reached(replace(now, sliced=frozenset({5})))
