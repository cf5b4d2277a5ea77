"""The folder for what is kept of a user."""

from pathlib import Path

import pytest

from quintet.config.state_folder import state_folder


def test_it_is_where_the_environment_says_if_that_is_a_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    by_default = tmp_path / ".local" / "state" / "quintet"
    for named, found in ((str(tmp_path / "x"), tmp_path / "x" / "quintet"), ("x", by_default), ("", by_default)):
        monkeypatch.setenv("XDG_STATE_HOME", named)
        assert state_folder() == found
