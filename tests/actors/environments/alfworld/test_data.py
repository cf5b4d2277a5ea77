"""Holding games to what they say."""

from pathlib import Path

import msgspec
import pytest

from quintet.environments.alfworld.data import check_data, game_error
from quintet.environments.alfworld.games.game import ForeignGameError, Game, read_game, to_bytes
from quintet.environments.alfworld.generator.layout import write
from quintet.environments.alfworld.generator.splits import spread_evenly
from quintet.errors import UsageError
from tests.actors.environments.alfworld.homes import HEAT, NEVER, game
from tests.actors.environments.alfworld.test_session import HEATING


def changed(made: Game, **changes: object) -> Game:
    return msgspec.structs.replace(made, **changes)


def test_a_game_is_solved_by_its_walkthrough_or_without_one_by_the_expert() -> None:
    assert game_error(game()) is None
    assert game_error(changed(game(), walkthrough=HEATING)) is None
    assert "that do not" in str(game_error(changed(game(), walkthrough=HEATING[:-1])))
    assert "that do not" in str(game_error(changed(game(), walkthrough=("dance", *HEATING))))
    assert "none that the expert knows" in str(game_error(game(NEVER)))


def test_bad_and_foreign_games_are_distinguished() -> None:
    reached = HEAT.replace("(heatable ?o) ", "").replace("(isHot ?o) ", "").replace("Fridge", "Cabinet")
    assert "reached at the start" in str(game_error(game(reached)))
    with pytest.raises(ForeignGameError, match="domain, types: expected agent"):
        game_error(changed(game(), pddl_domain="(define (domain chess))"))
    assert str(game_error(changed(game(), pddl_problem="(define"))).startswith("game: expected")


def test_a_folder_is_checked_file_by_file(tmp_path: Path) -> None:
    write(tmp_path, spread_evenly(18))
    lost, cut, unsolvable, foreign = sorted((tmp_path / "json_2.1.1" / "train").rglob("game.tw-pddl"))[:4]
    lost.write_bytes(to_bytes(changed(read_game(lost), walkthrough=("look",))))
    cut.write_bytes(cut.read_bytes()[:1000])
    unsolvable.write_bytes(to_bytes(changed(read_game(unsolvable), solvable=False)))
    foreign.write_bytes(to_bytes(changed(read_game(foreign), pddl_domain="(define (domain chess))")))
    found = check_data(tmp_path)
    assert {split: sum(counts.values()) for split, counts in found.counts.items()} == (
        {"valid_unseen": 6, "valid_seen": 6, "train": 2}
    )
    assert len(found.errors) == 2
    assert all(any(str(bad) in error for error in found.errors) for bad in (lost, cut))
    (warning,) = found.warnings
    assert warning.startswith("foreign: game: domain, types: expected agent")
    assert str(foreign) in warning
    assert found.notes[-1] == "left out: 1 unsolvable, 0 of an unsupported kind"


def test_without_games_there_is_nothing_to_check(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="data: expected games, got none; `alfworld-download`"):
        check_data(tmp_path)
