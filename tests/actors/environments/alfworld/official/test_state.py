"""The official engine behind a state, with a stand-in for the engine; tests/conformance has the real one."""

import sys

import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, domain_text, grammar_text
from quintet.environments.alfworld.games.game import Game
from quintet.environments.alfworld.official.state import (
    Engines,
    TextWorldState,
    begin_official,
    translate_game,
)
from quintet.errors import UsageError, WorldFault
from quintet.ports.world import Outcome
from tests.actors.environments.alfworld.corridor import Corridor

GAME = Game(pddl_domain="d", grammar="g", pddl_problem="p", walkthrough=("go to study 1", "go to attic 1"))
WAY = ("go to study 1", "go to attic 1")


@pytest.fixture
def corridors() -> list[Corridor]:
    """Every copy that was made."""
    return []


@pytest.fixture
def engines(corridors: list[Corridor]) -> Engines:
    return _engines(corridors)


def _engines(corridors: list[Corridor], most: int = 2, *, forgetful: bool = False) -> Engines:
    def another() -> Corridor:
        corridors.append(Corridor(forgetful=forgetful))
        return corridors[-1]

    return Engines(most, another)


def _walked(state: TextWorldState, *actions: str) -> list[str]:
    return [state.step(action).observation for action in actions]


def _restored(begun: TextWorldState, snapshot: bytes) -> TextWorldState:
    state = begun.fork()
    state.load(snapshot)
    return state


def test_the_opening_is_split_into_setting_and_goal(engines: Engines) -> None:
    opening = begin_official(GAME, engines).opening
    assert opening.observation == "-= Welcome =-\n\nYou are in hall 1.\n\nYour task is to: reach the attic."
    assert begin_official(GAME, engines).admissible() == ("go to study 1", "look")
    assert (opening.setting, opening.goal) == ("-= Welcome =-\n\nYou are in hall 1.", "reach the attic")


def test_what_is_not_admissible_is_rejected(engines: Engines) -> None:
    state = begin_official(GAME, engines)
    for action in ("go to attic 1", "GO TO STUDY 1", "", "x" * 10_000, "\x00", "\ud800"):
        assert state.step(action) == Outcome(observation="Nothing happens.", reward=0.0, done=False, rejected=True)
    assert state.snapshot() == begin_official(GAME, engines).snapshot()


def test_a_done_state_repeats_its_last_observation(engines: Engines) -> None:
    state = begin_official(GAME, engines)
    _walked(state, *WAY)
    assert state.step("look") == Outcome(observation="You arrive at attic 1.", reward=1.0, done=True, rejected=True)
    assert (state.admissible(), state.expert()) == ((), ())


def test_a_state_alone_on_its_engine_repeats_nothing(corridors: list[Corridor]) -> None:
    state = begin_official(GAME, _engines(corridors))
    _walked(state, "look", "no such thing", *WAY)
    assert [(each.resets, each.steps) for each in corridors] == [(1, 4)]


def test_any_number_of_states_share_few_engines(corridors: list[Corridor]) -> None:
    engines = _engines(corridors, most=2)
    begun = begin_official(GAME, engines)
    states = [begun.fork() for _ in range(50)]
    for state in states:
        assert _walked(state, "go to study 1") == ["You arrive at study 1."]
    assert [_walked(state, "go to attic 1") for state in states] == [["You arrive at attic 1."]] * 50
    assert len(corridors) == 2


def test_an_engine_that_says_something_else_the_second_time_is_a_fault(corridors: list[Corridor]) -> None:
    state = begin_official(GAME, _engines(corridors, most=1, forgetful=True))
    state.step("go to study 1")
    fork = state.fork()
    state.step("go to attic 1")
    with pytest.raises(WorldFault, match="replay: expected"):
        fork.step("look")


def test_a_snapshot_is_its_actions_and_leads_where_they_lead(engines: Engines) -> None:
    state = begin_official(GAME, engines)
    _walked(state, "go to study 1", "rubbish")
    restored = _restored(begin_official(GAME, engines), state.snapshot())
    assert restored.snapshot() == state.snapshot()
    assert restored.opening == state.opening
    assert restored.observation == state.observation == "You arrive at study 1."
    assert restored.admissible() == state.admissible()
    assert _walked(restored, "look", "go to attic 1") == ["You see study 1.", "You arrive at attic 1."]


def test_a_restored_state_uses_no_engine_before_its_first_action(corridors: list[Corridor]) -> None:
    written = begin_official(GAME, _engines([]))
    written.step("go to study 1")
    begun = begin_official(GAME, _engines(corridors))
    restored = [_restored(begun, written.snapshot()) for _ in range(10)]
    assert {state.observation for state in restored} == {"You arrive at study 1."}
    assert [(each.resets, each.steps) for each in corridors] == [(1, 0)]
    assert _walked(restored[0], "go to attic 1") == ["You arrive at attic 1."]


def test_the_planner_is_the_expert_and_before_it_the_walkthrough(engines: Engines) -> None:
    state = begin_official(GAME, engines)
    assert state.expert() == WAY
    state.step("go to study 1")
    assert state.expert() == ("go to attic 1",)


def test_a_game_that_the_engine_cannot_read_is_a_usage_error_whatever_it_raises(engines: Engines) -> None:
    unreadable = replace(GAME, pddl_problem="unreadable")
    with pytest.raises(UsageError, match="SystemExit: error: expected a problem"):
        begin_official(unreadable, engines)
    assert begin_official(GAME, engines).opening.goal == "reach the attic"


def test_a_game_is_put_into_another_dialect() -> None:
    sentence = "Your task is to: put a mug on desk."
    game = Game(
        pddl_domain=domain_text(NEW),
        grammar=grammar_text(NEW, sentence),
        pddl_problem="p",
        walkthrough=("go to desk 1", "move mug 1 to desk 1"),
    )
    assert translate_game(game, NEW) is game
    assert translate_game(game, CLASSIC) == Game(
        pddl_domain=domain_text(CLASSIC),
        grammar=grammar_text(CLASSIC, sentence),
        pddl_problem="p",
        walkthrough=("go to desk 1", "put mug 1 in/on desk 1"),
    )
    assert translate_game(translate_game(game, CLASSIC), NEW) == game


def test_a_game_by_unknown_rules_cannot_be_put_into_another_dialect() -> None:
    with pytest.raises(UsageError, match="expected known rules, to put them into 'classic'; domain: expected"):
        translate_game(GAME, CLASSIC)


def test_without_its_packages_the_engine_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textworld", None)
    said = r"Python 3\.11 or 3\.12" if sys.version_info >= (3, 13) else r"pip install 'quintet-agents\[alfworld\]'"
    with pytest.raises(UsageError, match=said):
        begin_official(GAME, Engines())


def test_where_the_goal_is_reached_at_the_beginning_any_action_ends_the_task(engines: Engines) -> None:
    state = begin_official(replace(GAME, pddl_problem="solved"), engines)
    assert state.expert() == ("look",)
    assert state.step("rubbish") == Outcome(observation="Nothing happens.", reward=1.0, done=True, rejected=True)
