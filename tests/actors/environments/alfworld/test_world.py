"""The world: which game a task is, and which engine plays it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.games.dialect import CLASSIC, NEW, GameDialect
from quintet.environments.alfworld.games.game import Game, to_bytes
from quintet.environments.alfworld.session import AlfWorldState
from quintet.environments.alfworld.world import AlfWorld
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.alfworld import homes
from tests.actors.environments.alfworld.releases import released

FOREIGN = replace(homes.game(), pddl_domain="(define (domain another))")


def folder(path: Path, *games: Game) -> Path:
    """A folder of games; their tasks are game1, game2 and so on."""
    for number, game in enumerate(games, start=1):
        (path / f"game{number}.tw-pddl").write_bytes(to_bytes(replace(game, solvable=True)))
    return path


def only(world: AlfWorld) -> Task:
    (name,) = world.tasks("games")
    return Task(name=name, seed=0)


def test_a_game_is_played_natively_in_the_dialect_of_its_file_or_another(tmp_path: Path) -> None:
    path = folder(tmp_path, homes.game())
    assert "move" in str(AlfWorld(path).open(only(AlfWorld(path))).step("help").observation)
    classic = AlfWorld(path, dialect="classic")
    assert classic.open(only(classic)).step("go to fridge 1").observation.startswith("You arrive at loc ")


def test_options_reach_the_engine(tmp_path: Path) -> None:
    world = AlfWorld(folder(tmp_path, homes.game()), causes=True, either_put=True)
    assert world.open(only(world)).step("open fridge 1").observation == "Nothing happens. You are not at fridge 1."
    assert "move" in world.open(only(world)).step("put apple 1 to fridge 1").observation
    for option in ("dialect", "engine", "on_bad_file"):
        with pytest.raises(UsageError, match=f"{option}: expected one of "):
            AlfWorld(**{option: "other"})  # type: ignore[arg-type]


def test_a_game_by_unknown_rules_goes_to_the_official_engine_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Game] = []

    def begin(game: Game) -> None:
        asked.append(game)
        raise UsageError("engine: no official engine in this test")

    monkeypatch.setattr("quintet.environments.alfworld.world.begin_official", begin)
    monkeypatch.setattr("quintet.environments.alfworld.world.require_engine", lambda: None)
    world = AlfWorld(folder(tmp_path, FOREIGN))
    with pytest.warns(RuntimeWarning, match="official engine"), pytest.raises(UsageError, match="no official engine"):
        world.open(only(world))
    assert [game.pddl_domain for game in asked] == [FOREIGN.pddl_domain]


@pytest.mark.parametrize("options", [{"engine": "native"}, {"causes": True}, {"either_put": True}])
def test_what_only_the_native_engine_does_is_refused_for_such_a_game(tmp_path: Path, options: dict[str, bool]) -> None:
    world = AlfWorld(folder(tmp_path, homes.game(), FOREIGN), **options)  # type: ignore[arg-type]
    difference = r"game: domain, types: expected agent .*game2\.tw-pddl\)"
    with pytest.raises(UsageError, match=rf"{difference}; 1 of 2 games .*environment\.{next(iter(options))}"):
        world.tasks("games")
    with pytest.raises(UsageError, match="domain, types: expected agent"):
        world.open(Task(name="game2", seed=0))


def test_where_the_official_engine_is_missing_such_a_game_is_refused_before_a_run_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, object] = {}
    monkeypatch.setattr("quintet.environments.alfworld.official.state.find_spec", found.get)
    with pytest.raises(UsageError, match=r"domain, types: expected agent .* may know them, but engine: expected"):
        AlfWorld(folder(tmp_path, FOREIGN)).tasks("games")


def test_an_objective_made_of_rules_is_refused_before_a_run_begins(tmp_path: Path) -> None:
    game = replace(homes.game(), grammar=homes.game().grammar.replace("heat some apple", "#a(o)#"))
    with pytest.raises(UsageError, match="grammar, task: expected a plain sentence"):
        AlfWorld(folder(tmp_path, game), engine="native").tasks("games")


@pytest.mark.parametrize("dialect", [NEW, CLASSIC], ids=lambda dialect: dialect.name)
def test_released_games_are_played_natively_with_causes(tmp_path: Path, dialect: GameDialect) -> None:
    game = released(dialect, problem=homes.problem())
    world = AlfWorld(folder(tmp_path, game), causes=True)
    state = world.open(only(world))
    assert isinstance(state, AlfWorldState)
    assert state.step("help").observation == (dialect.help or "Nothing happens. help is no action here.")
    assert state.step("open fridge 1").observation == "Nothing happens. You are not at fridge 1."


@pytest.mark.parametrize("options", [{"causes": True}, {"either_put": True}])
def test_the_official_engine_tells_no_causes_and_takes_no_other_form(options: dict[str, bool]) -> None:
    with pytest.raises(UsageError, match="engine: expected native"):
        AlfWorld(engine="textworld", **options)  # type: ignore[arg-type]


def test_the_official_engine_is_missed_before_a_run_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, object] = {}
    monkeypatch.setattr("quintet.environments.alfworld.official.state.find_spec", found.get)
    with pytest.raises(UsageError, match="engine: expected"):
        AlfWorld(engine="textworld")


def test_games_of_two_dialects_are_played_only_in_one(tmp_path: Path) -> None:
    path = folder(tmp_path, homes.game(), homes.game(dialect=CLASSIC))
    AlfWorld(path).open(Task(name="game1", seed=0))
    refusal = r"of one dialect, new as the first, got one in classic.*\(game2\)"
    with pytest.raises(UsageError, match=refusal):
        AlfWorld(path).tasks("games")
    with pytest.raises(UsageError, match=refusal):
        AlfWorld(path).open(Task(name="game2", seed=0))
    world = AlfWorld(path, dialect="new")
    assert world.tasks("games") == ("game1", "game2")
    world.open(Task(name="game2", seed=0))


def test_a_game_that_is_none_is_named(tmp_path: Path) -> None:
    world = AlfWorld(folder(tmp_path, replace(homes.game(), pddl_problem="(define (problem p))")))
    with pytest.raises(UsageError, match="game"):
        world.open(only(world))


def test_parsed_games_are_kept_but_not_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quintet.environments.alfworld.world._KEPT", 2)
    world = AlfWorld(folder(tmp_path, *(homes.game(goal) for goal in (homes.HEAT, homes.LOOK, homes.TWO))))
    tasks = [Task(name=name, seed=0) for name in world.tasks("games")]
    snapshots = [world.open(task).snapshot() for task in tasks]
    assert [world.open(task).snapshot() for task in tasks] == snapshots
    assert world._prepared.cache_info().currsize == 2  # pyright: ignore[reportPrivateUsage]
