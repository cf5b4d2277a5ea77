"""Households: what is numbered, and what things are called."""

import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.engine.household import household, names_of
from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, domain_text
from quintet.environments.alfworld.games.domain import Tools
from quintet.environments.alfworld.games.game import ForeignGameError
from quintet.environments.alfworld.session import AlfWorldState
from tests.actors.environments.alfworld import homes
from tests.actors.environments.alfworld.releases import released


def test_everything_is_numbered_in_the_order_of_ids() -> None:
    house = homes.home()
    assert house.receptacles == (
        *("cabinet 2", "cabinet 1", "countertop 1", "drawer 1", "fridge 1", "microwave 1"),
        *("shelf 1", "sinkbasin 1"),
    )
    assert house.objects == ("apple 2", "apple 1", "bowl 1", "desklamp 1", "keychain 1", "knife 1", "potato 1")
    assert house.object_kinds[:2] == ("apple", "apple")
    assert house.receptacle_kinds[-1] == "sinkbasin"


def test_a_receptacle_without_a_place_is_nowhere() -> None:
    house = homes.home()
    shelf = house.receptacle_numbers["shelf 1"]
    assert house.home[shelf] is None
    assert not any("shelf" in way for ways in house.ways for way in ways)


def test_the_dialect_is_the_files_unless_another_is_wanted() -> None:
    assert homes.home(dialect=CLASSIC).dialect is CLASSIC
    other = household(homes.game(dialect=CLASSIC), NEW)
    assert other.dialect is NEW
    assert other.digest != homes.home(dialect=CLASSIC).digest
    assert other.digest == homes.home(dialect=NEW).digest


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("(frozen Apple_bar_1)", r"frozen"),
        ("(atLocation agent1 loc_bar_1)", "one agent at one place"),
        ("(receptacleAtLocation Fridge_bar_1 loc_bar_1)", "every receptacle at one place"),
        ("(holds agent1 Apple_bar_1)", "holds"),
    ],
)
def test_an_unusual_beginning_is_left_to_the_official_engine(more: str, complaint: str) -> None:
    with pytest.raises(ForeignGameError, match=complaint):
        homes.home(facts=homes.FACTS + more)


def test_one_cleans_heats_cools_and_slices_with_what_the_file_names() -> None:
    facts = homes.FACTS.replace("SinkBasinType)", "SinkType)")
    declared = homes.DECLARED.replace("SinkBasinType", "SinkBasinType SinkType")
    ours = homes.game(homes.NEVER, facts=facts, declared=declared)
    theirs = replace(released(NEW), pddl_problem=ours.pddl_problem)
    way = (
        "go to countertop 1",
        "take apple 2 from countertop 1",
        "go to sinkbasin 1",
        "clean apple 2 with sinkbasin 1",
    )
    outcomes = list[str]()
    for game in (ours, theirs):
        house = household(game)
        state = AlfWorldState(house, causes=True)
        outcomes.append([state.step(action).observation for action in way][-1])
        assert ("clean apple 2 with sinkbasin 1" in state.admissible()) == (game is theirs)
    assert outcomes == [
        "Nothing happens. sinkbasin cannot be used for cleaning.",
        "You clean the apple 2 using the sinkbasin 1.",
    ]
    other = replace(theirs, pddl_domain=domain_text(NEW, Tools(heat=frozenset(("fridgetype",)))))
    heat, cool = (household(other).treatments[verb].appliances for verb in ("heat", "cool"))
    assert heat == cool != household(theirs).treatments["heat"].appliances
    assert household(other).digest != household(theirs).digest


def test_a_goal_about_what_is_not_kept_is_left_to_the_official_engine() -> None:
    for goal in ("(isOn DeskLamp_bar_1)", "(isHot Spoon_bar_7)", "(and isHot)", "(isHot (a b))"):
        with pytest.raises(ForeignGameError):
            homes.home(goal)


@pytest.mark.parametrize("fact", ["(openable Apple_bar_1)", "(inReceptacle Apple_bar_1)", "(pickupable Nothing_bar_1)"])
def test_a_fact_about_the_wrong_things_is_no_game(fact: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        homes.home(facts=homes.FACTS + fact)


def test_a_goal_nested_too_deep_is_not_a_game() -> None:
    agents = " ".join(f"?a{number}" for number in range(3_000))
    with pytest.raises(ValueError, match="expected a goal with fewer parts inside each other"):
        homes.home(f"(exists ({agents} - agent) (isHot Apple_bar_1))")


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        ("cd_bar_2 cd_bar_1 mug_bar_9 cd_bar_10", ["cd 1", "cd 3", "mug 1", "cd 2"]),
        ("sink_bar_1_bar_sinkbasin sink_bar_1", ["sinkbasin 1", "sink 1"]),
        ("agent1 ap_plus_ple", ["agent1 ", "ap+ple "]),
    ],
    ids=["downwards in the order of ids", "a basin as such", "without coordinates as they are, with a blank"],
)
def test_things_of_a_kind_are_numbered(ids: str, names: list[str]) -> None:
    assert [names_of(ids.split())[each] for each in ids.split()] == names
