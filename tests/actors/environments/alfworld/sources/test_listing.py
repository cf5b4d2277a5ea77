"""Folders as they are found: huge, hostile, or out of reach."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.alfworld.games.game import to_bytes
from quintet.environments.alfworld.sources.folder import FolderLibrary
from quintet.environments.alfworld.sources.listing import list_games
from quintet.errors import UsageError
from tests.actors.environments.alfworld.homes import game


@pytest.fixture
def fine(tmp_path: Path) -> Path:
    """A folder with one game, `fine`, and room for more."""
    (tmp_path / "fine.tw-pddl").write_bytes(to_bytes(game()))
    return tmp_path


def reasons(folder: Path) -> list[str]:
    found = list_games(folder)
    assert list(found.files) == ["fine"]
    return [bad.reason for bad in found.bad]


def test_links_to_folders_are_not_followed_so_none_leads_back(fine: Path) -> None:
    (fine / "loop").symlink_to(fine, target_is_directory=True)
    (fine / "loop.tw-pddl").symlink_to(fine, target_is_directory=True)
    assert reasons(fine) == []


def test_a_folder_may_itself_be_a_link_and_so_may_a_game(fine: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "link").symlink_to(fine, target_is_directory=True)
    (fine / "same.tw-pddl").symlink_to(fine / "fine.tw-pddl")
    assert FolderLibrary(elsewhere / "link").tasks("games") == ("fine", "same")


_NO_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link to nothing": (lambda file: file.symlink_to("nowhere"), "expected a readable file, got No such file"),
    "a link to itself": (lambda file: file.symlink_to(file.name), "expected a readable file, got Too many levels"),
    "a pipe": (os.mkfifo, "expected a readable file, got something that is no"),
    "a device": (lambda file: file.symlink_to("/dev/zero"), "expected a readable file, got something that is no"),
}


@pytest.mark.parametrize(("make", "said"), _NO_FILES.values(), ids=_NO_FILES)
def test_what_cannot_be_read_to_its_end_is_bad(fine: Path, make: Callable[[Path], object], said: str) -> None:
    make(fine / "odd.tw-pddl")
    (reason,) = reasons(fine)
    assert said in reason
    assert "odd.tw-pddl" in reason


def test_a_file_or_a_folder_that_may_not_be_read_is_bad(fine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (fine / "closed").mkdir()
    (fine / "secret.tw-pddl").write_bytes(to_bytes(game()))
    _forbid(monkeypatch, os, "scandir", "closed")
    _forbid(monkeypatch, os, "open", "secret.tw-pddl")
    folder, file = reasons(fine)
    assert folder == f"data: expected a readable folder, got Permission denied ({str(fine / 'closed')!r})"
    assert file == f"game: expected a readable file, got Permission denied ({fine / 'secret.tw-pddl'})"


def _forbid(monkeypatch: pytest.MonkeyPatch, owner: object, name: str, forbidden: str) -> None:
    allowed = getattr(owner, name)

    def reading(path: Path | str, *more: Any) -> object:
        if Path(path).name == forbidden:
            raise PermissionError(13, "Permission denied", str(path))
        return allowed(path, *more)

    monkeypatch.setattr(owner, name, reading)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\u2028b", "\udcff", "a\tb/c", ""])
def test_a_name_that_cannot_be_printed_is_no_tasks_name(fine: Path, name: str) -> None:
    file = fine / f"{name}.tw-pddl"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(to_bytes(game()))
    (reason,) = reasons(fine)
    assert "expected a path that can be a task's name" in reason
    assert reason.isprintable()


def test_any_number_of_bad_files_fits_in_one_line_and_other_files_are_no_games(fine: Path) -> None:
    for number in range(100):
        (fine / f"junk{number}.json").touch()
    assert reasons(fine) == []
    for number in range(100):
        (fine / f"junk{number}.tw-pddl").touch()
    with pytest.raises(UsageError, match=r"got something else.*junk0\.tw-pddl.*on_bad_file=skip .* \(100 of them\)"):
        FolderLibrary(fine).tasks("games")
    with pytest.warns(RuntimeWarning, match=r"^skipped: 100 files that hold no game, .*junk0\.tw-pddl\)$"):
        assert FolderLibrary(fine, "skip").tasks("games") == ("fine",)


def test_a_folder_has_another_version_where_a_game_came_went_or_was_renamed_or_resized(fine: Path) -> None:
    versions = [FolderLibrary(fine).version]
    for change in (
        lambda: (fine / "second.tw-pddl").write_text("x"),
        lambda: (fine / "second.tw-pddl").write_text("xy"),
        lambda: (fine / "second.tw-pddl").rename(fine / "third.tw-pddl"),
        (fine / "fine.tw-pddl").unlink,
    ):
        change()
        versions.append(FolderLibrary(fine).version)
    assert len(set(versions)) == len(versions)
    assert all(version.startswith("files-") for version in versions)


def test_the_version_depends_on_nothing_but_games_and_not_on_where_they_lie_and_reads_none(
    fine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forbid(monkeypatch, Path, "read_bytes", "fine.tw-pddl")
    before = FolderLibrary(fine).version
    (fine / "notes.txt").write_text("x")
    (fine / "inner").mkdir()
    assert FolderLibrary(fine).version == before
    assert FolderLibrary(fine / "fine.tw-pddl").version == before
    assert FolderLibrary(fine.rename(fine.with_name("moved"))).version == before
