"""`quintet data` and `quintet record`: what worlds declare as commands."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from quintet.cli.data import data_app, record_app
from quintet.environments.alfworld.games.game import read_game, to_bytes
from quintet.environments.data_commands import DataCommand, DataSummary
from tests.command import command, printed, refused
from tests.distributions import install

GENERATED = """\

games written
split         pick  look  clean  heat  cool  pick two  all
valid_unseen     2     1      1     1     1         1    7
valid_seen       2     1      1     1     1         1    7
train            1     1      1     1     1         1    6

20 games in data; --set environment.data=data plays them
"""


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def generate(*flags: str) -> str:
    return printed("data", "generate", "alfworld", *flags)


def a_game() -> Path:
    """The first of some games that are made."""
    generate("--games", "3", "--out", "data")
    return min(Path("data").rglob("game.tw-pddl"))


def test_games_are_made_and_counted_and_pass_the_check() -> None:
    assert generate("--games", "20", "--seed", "3", "--out", "data") == GENERATED
    assert len(list(Path("data").rglob("game.tw-pddl"))) == 20
    assert printed("data", "check", "alfworld", "data").splitlines()[2:6] == GENERATED.splitlines()[2:6]


def test_a_bad_game_is_named_and_the_exit_code_tells() -> None:
    file = a_game()
    file.write_text("{}")
    out = command("data", "check", "alfworld", "data", code=1).out
    assert "bad: game: expected a game.tw-pddl file, got something else" in out
    assert str(file) in out


def test_a_game_for_the_official_engine_is_named_apart_and_is_not_bad() -> None:
    file = a_game()
    file.write_bytes(to_bytes(replace(read_game(file), pddl_domain="(define (domain chess))")))
    out = printed("data", "check", "alfworld", "data")
    types = "expected agent location object otype receptacle rtype, got none"
    assert f"foreign: game: domain, types: {types} ({file})" in out
    assert "not tried out: 1 game that only the official engine can play" in out


def test_what_is_left_out_is_counted() -> None:
    file = a_game()
    file.write_text(file.read_text().replace('"solvable":true', '"solvable":false'))
    assert "left out: 1 unsolvable, 0 of an unsupported kind" in printed("data", "check", "alfworld", "data")


def test_either_dialect_is_written() -> None:
    generate("--games", "1", "--out", "old", "--dialect", "classic")
    (file,) = Path("old").rglob("game.tw-pddl")
    assert "put {o} in/on {r}" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["generate", "alfworld", "--games", "0", "--out", "x"], "--games: expected 1 to 1,000,000, got 0"),
        (["generate", "alfworld", "--games", "many", "--out", "x"], "--games: expected a whole number, got 'many'"),
        (["generate", "alfworld", "--games", "1", "--out", "."], "expected an empty or a new folder"),
        (["generate", "chess", "--games", "1", "--out", "x"], "chess"),
        (["generate", "alfworld", "--games", "1", "--out", "x", "--dialect", "pirate"], "--dialect"),
        (
            ["check", "alfworld", "nowhere"],
            "data: expected a folder or a file of games, got nothing there; `alfworld-download`",
        ),
        (["check", "alfworld", "."], "data: expected games, got none"),
    ],
)
def test_what_cannot_be_done_is_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    assert said in refused("data", *arguments)


class Mazes:
    """A world whose data commands are a plug-in's own."""

    @staticmethod
    def _carve(folder: Path, *, mazes: int = 2) -> DataSummary:
        """Carve mazes."""
        counts = {"train": {"small": mazes, "large": 0}}
        return DataSummary(title=f"mazes in {folder}", rows_are="split", counts=counts, errors=("one has no way out",))

    data_commands: ClassVar[Mapping[str, DataCommand]] = {"carve": _carve}


class Helpful(Mazes):
    """A world with a data command that is called as a flag of ours."""

    data_commands: ClassVar[Mapping[str, DataCommand]] = {"--help": Mazes.data_commands["carve"]}


def test_a_plug_ins_world_brings_commands_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, monkeypatch, {"environments": {"maze": f"{__name__}:Mazes", "gone": "nowhere:WORLD"}})
    code = data_app()(["carve", "maze", "here", "--mazes", "3"], result_action="return_value")
    assert code == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert lines[1:3] == [["split", "small", "large", "all"], ["train", "3", "-", "3"]]
    assert lines[3] == ["one", "has", "no", "way", "out"]


def test_commands_that_cannot_be_named_are_left_out_and_those_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = {"maze": f"{__name__}:Mazes", "helpful": f"{__name__}:Helpful", "--help": f"{__name__}:Mazes"}
    install(tmp_path, monkeypatch, {"environments": worlds})
    app = data_app()
    flags = {"--help", "-h", "--version"}
    assert set(app) - flags == {"build", "check", "generate", "carve"}
    assert set(app["carve"]) - flags == {"maze"}


def _keep(task: str, *, out: Path, steps: int = 3) -> DataSummary:
    """Keep the pages of a session."""
    counts = {task: {"pages": steps, "pictures": 0}}
    return DataSummary(title="pages kept", rows_are="task", counts=counts, notes=(f"served from {out}",))


class Pages:
    """A world whose pages can be kept."""

    record_command = staticmethod(_keep)


def test_sessions_are_recorded_by_the_command_of_a_world_that_declares_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"pages": f"{__name__}:Pages", "maze": f"{__name__}:Mazes", "gone": "nowhere:WORLD"}
    install(tmp_path, monkeypatch, {"environments": places})
    app = record_app()
    assert app(["pages", "shop-3", "--out", "kept", "--steps", "5"], result_action="return_value") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    assert lines[1:] == [["task", "pages", "pictures", "all"], ["shop-3", "5", "-", "5"], ["served", "from", "kept"]]
    assert "pages" in [*app]
    assert not {"maze", "gone", "textcraft"} & {*app}
    assert "textcraft" in refused("record", "textcraft")
