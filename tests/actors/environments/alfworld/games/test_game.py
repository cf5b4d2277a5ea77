"""Game files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.alfworld.games.game import read_game, to_bytes
from quintet.errors import UsageError
from tests.actors.environments.alfworld import homes


def test_a_written_game_is_read_and_further_fields_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "game.tw-pddl"
    game = homes.game()
    for text in (to_bytes(game), to_bytes(game)[:-1] + b', "more": 1}'):
        file.write_bytes(text)
        assert read_game(file) == game


@given(st.integers(0, 3000))
def test_a_truncated_file_is_named(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    file = tmp_path_factory.getbasetemp() / "truncated.tw-pddl"
    file.write_bytes(to_bytes(homes.game())[:length])
    with pytest.raises(UsageError, match=r"truncated\.tw-pddl"):
        read_game(file)


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"pddl_domain": 1}', b"\xff\xfe", b"\x00" * 100])
def test_a_foreign_file_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "foreign"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="foreign"):
        read_game(file)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "huge"
    with file.open("wb") as out:
        out.truncate(20_000_000)
    with pytest.raises(UsageError, match="at most 10,000,000 bytes"):
        read_game(file)
