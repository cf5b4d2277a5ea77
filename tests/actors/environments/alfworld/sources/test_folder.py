"""The user's own files, good and bad."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from quintet.environments.alfworld.games.game import Game, read_game, to_bytes
from quintet.environments.alfworld.generator.layout import write
from quintet.environments.alfworld.generator.splits import spread_evenly
from quintet.environments.alfworld.sources import folder as module
from quintet.environments.alfworld.sources.folder import FolderLibrary, OnBadFile
from quintet.errors import UsageError
from tests.actors.environments.alfworld.homes import FACTS, NEVER, game


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write(folder, spread_evenly(18))
    return folder


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "data")


def some_file(data: Path, split: str = "valid_unseen") -> Path:
    return min((data / "json_2.1.1" / split).rglob("game.tw-pddl"))


def saved(file: Path, content: Game | None = None) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(to_bytes(game() if content is None else content))
    return file


def test_official_data_is_found_from_any_of_its_folders(data: Path) -> None:
    whole, release = FolderLibrary(data), FolderLibrary(data / "json_2.1.1")
    assert whole.splits == release.splits == ("valid_unseen", "valid_seen", "train")
    one = FolderLibrary(data / "json_2.1.1" / "valid_seen")
    assert one.splits == ("valid_seen",)
    assert one.tasks("valid_seen") == whole.tasks("valid_seen") == release.tasks("valid_seen")
    assert list(whole.tasks("train")) == sorted(whole.tasks("train"))


def test_a_task_type_is_read_from_the_name(data: Path) -> None:
    library = FolderLibrary(data)
    types = sorted(library.task_type(task) for task in library.tasks("train"))
    assert types == ["clean", "cool", "heat", "look", "pick", "pick two"]


def test_a_folder_of_any_files_has_one_split_and_names_with_dots(tmp_path: Path) -> None:
    saved(tmp_path / "b.tw-pddl")
    saved(tmp_path / "deep" / "er" / "a.tw-pddl")
    saved(tmp_path / "own" / "game.tw-pddl")
    library = FolderLibrary(tmp_path)
    assert library.splits == ("games",)
    assert library.tasks("games") == ("b", "deep.er.a", "own")
    assert library.game("deep.er.a") == game()


def test_one_file_is_one_task(data: Path, tmp_path: Path) -> None:
    assert FolderLibrary(saved(tmp_path / "mine.tw-pddl")).tasks("games") == ("mine",)
    official = some_file(data)
    (name,) = FolderLibrary(official).tasks("games")
    assert name == f"{official.parent.parent.name}.{official.parent.name}"
    (name,) = FolderLibrary(official.parent).tasks("games")
    assert name == f"{official.parent.parent.name}.{official.parent.name}"


def test_a_type_comes_from_the_trajectory_or_else_from_the_goal(tmp_path: Path) -> None:
    saved(tmp_path / "typed" / "game.tw-pddl")
    (tmp_path / "typed" / "traj_data.json").write_text(json.dumps({"task_type": "pick_two_obj_and_place", "scene": {}}))
    saved(tmp_path / "untyped" / "game.tw-pddl")
    saved(tmp_path / "garbled" / "game.tw-pddl")
    (tmp_path / "garbled" / "traj_data.json").write_bytes(b"\xff{")
    saved(tmp_path / "movable" / "other.tw-pddl")
    saved(tmp_path / "never.tw-pddl", game(NEVER))
    library = FolderLibrary(tmp_path)
    found = {task: library.task_type(task) for task in library.tasks("games")}
    assert found == {"typed": "pick two", "untyped": "heat", "garbled": "heat", "never": "other"}


def test_what_the_official_loader_passes_over_is_passed_over_and_counted(data: Path) -> None:
    base = data / "json_2.1.1" / "train"
    saved(base / "pick_and_place_with_movable_recep-Egg-Mug-Fridge-6" / "trial_T1" / "game.tw-pddl")
    saved(base / "pick_heat_then_place_in_recep-AppleSliced-None-Fridge-6" / "trial_T1" / "game.tw-pddl")
    unsolvable = some_file(data, "train")
    saved(unsolvable, replace(read_game(unsolvable), solvable=False))
    library = FolderLibrary(data)
    listing = library.listing("train")
    assert (listing.left_out, listing.unsolvable, len(listing.bad)) == (2, 1, 0)
    assert len(library.tasks("train")) == 5
    with pytest.warns(RuntimeWarning, match="skipped: 0 files that hold no game, 1 games that cannot be solved$"):
        assert len(FolderLibrary(data, "skip").tasks("train")) == 5
    name = f"{unsolvable.parent.parent.name}.{unsolvable.parent.name}"
    with pytest.raises(UsageError, match="one that says it cannot be"):
        FolderLibrary(data).game(name)


def test_opening_an_official_game_by_name_reads_no_other(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = FolderLibrary(data).tasks("train")[0]
    monkeypatch.setattr(module, "list_games", _never)
    library = FolderLibrary(data)
    assert library.game(name).solvable
    assert library.task_type(name)


def test_a_split_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(tmp_path / "a.tw-pddl")
    library = FolderLibrary(tmp_path)
    library.tasks("games")
    monkeypatch.setattr(module, "list_games", _never)
    assert library.tasks("games") == ("a",)
    assert library.game("a") == game()


def _never(root: Path) -> None:
    raise AssertionError(root)


def test_a_folder_that_is_missing_or_empty_is_refused_and_says_how_to_fill_it(tmp_path: Path) -> None:
    how = "`alfworld-download` fetches the official ones, `quintet data generate alfworld` makes some"
    with pytest.raises(UsageError, match=f"data: expected a folder or a file of games, got nothing there; {how}"):
        FolderLibrary(tmp_path / "none")
    with pytest.raises(UsageError, match=f"expected games .*, got none .*; {how}"):
        FolderLibrary(tmp_path).tasks("games")
    (tmp_path / "a.tw-pddl").write_text("{}")
    with pytest.raises(UsageError, match=r"got none .0 unsolvable, 0 left out, 1 bad"):
        FolderLibrary(tmp_path, "skip").tasks("games")


def _cut_grammar(text: bytes) -> bytes:
    made = msgspec.json.decode(text, type=Game)
    return to_bytes(replace(made, grammar=made.grammar[:500]))


_WRECKS: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda text: text[: len(text) // 2],
    "foreign": lambda _: b'{"hello": 1}',
    "empty": lambda _: b"",
    "binary": lambda _: bytes(range(256)),
    "list": lambda _: b"[1, 2]",
    "half a problem": lambda text: text.replace(b"(:goal", b"(:gaol"),
    "brackets": lambda text: text.replace(b"(:init", b"(((:init"),
    "half a domain": lambda text: text.replace(b"(:action", b"((:action"),
    "half a grammar": _cut_grammar,
    "no objective": lambda text: text.replace(b'\\"task\\"', b'\\"tusk\\"'),
    "without end": lambda _: b'{"pddl_domain": "", "more": ' + b"[" * 100_000,
}


@pytest.mark.parametrize("wreck", _WRECKS.values(), ids=_WRECKS)
def test_a_bad_file_is_named_and_refused_or_skipped_and_counted(data: Path, wreck: Callable[[bytes], bytes]) -> None:
    file = some_file(data)
    file.write_bytes(wreck(file.read_bytes()))
    with pytest.raises(UsageError, match=f"game: expected .*{file.parent.name}.*on_bad_file=skip"):
        FolderLibrary(data).tasks("valid_unseen")
    library = FolderLibrary(data, "skip")
    with pytest.warns(RuntimeWarning, match=f"skipped: 1 files that hold no game.*{file.parent.name}"):
        assert len(library.tasks("valid_unseen")) == 5
    assert [bad.file for bad in library.listing("valid_unseen").bad] == [file]
    with pytest.raises(UsageError, match=f"game: expected .*{file.parent.name}"):
        FolderLibrary(data).game(f"{file.parent.parent.name}.{file.parent.name}")


def test_a_problem_that_only_reading_shows_to_be_none_is_skipped_or_named_when_it_is_asked_about(
    tmp_path: Path,
) -> None:
    saved(tmp_path / "fine.tw-pddl")
    file = saved(tmp_path / "wrong.tw-pddl", game(facts=FACTS + "(openable fridge_bar_1 fridge_bar_1)"))
    refusing, skipping = FolderLibrary(tmp_path), FolderLibrary(tmp_path, "skip")
    assert refusing.tasks("games") == ("fine", "wrong")
    with pytest.raises(UsageError, match=rf"game: \(openable .*\({file}\)"):
        refusing.task_type("wrong")
    with pytest.warns(RuntimeWarning, match=rf"skipped: 1 files .*\({file}\)"):
        assert skipping.tasks("games") == ("fine",)


@pytest.mark.parametrize("on_bad_file", ["refuse", "skip"])
def test_a_game_for_the_official_engine_is_not_bad(tmp_path: Path, on_bad_file: OnBadFile) -> None:
    saved(tmp_path / "foreign.tw-pddl", replace(game(), pddl_domain="(define (domain chess))"))
    library = FolderLibrary(tmp_path, on_bad_file)
    assert library.tasks("games") == ("foreign",)
    assert library.task_type("foreign") == "other"


def test_an_unknown_split_or_task_is_refused(data: Path) -> None:
    library = FolderLibrary(data)
    task = library.tasks("train")[0]
    with pytest.raises(UsageError, match=f"task: expected one such as .*{task}"):
        library.game(task[:-1])
    long = "b" * 10_000
    for wrong in ("", "../../etc/passwd", "a\0b", long, f"{task}/..", f"a-{long}-c-d-1.t", "a-b/..-c-d-1.t"):
        with pytest.raises(UsageError, match="task: expected one such as"):
            library.game(wrong)


def test_two_games_of_one_name_are_refused(data: Path, tmp_path: Path) -> None:
    saved(tmp_path / "mine" / "a.b.tw-pddl")
    saved(tmp_path / "mine" / "a" / "b.tw-pddl")
    with pytest.raises(UsageError, match=r"data: expected one game named a\.b, got two"):
        FolderLibrary(tmp_path / "mine").tasks("games")
    file = some_file(data, "train")
    saved(data / "json_2.1.1" / "valid_seen" / file.relative_to(data / "json_2.1.1" / "train"))
    library = FolderLibrary(data)
    library.tasks("train")
    with pytest.raises(UsageError, match=r"data: expected one game named .*, got two"):
        library.tasks("valid_seen")
