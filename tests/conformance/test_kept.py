"""Recording anew: nothing that is kept is given up before all of the new is there."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conformance import kept
from tests.conformance.games import Wording, ours

OFFICIAL = tuple(Wording(dialect, "(define)", "action") for dialect in ("classic", "new"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "transcripts"
    found.mkdir()
    (found / "old.jsonl").write_text("{}")
    return found


def files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder.parent)) for file in folder.parent.rglob("*.jsonl"))


def said(monkeypatch: pytest.MonkeyPatch, *wordings: Wording) -> None:
    def found(_source: Path) -> tuple[Wording, ...]:
        return wordings

    monkeypatch.setattr(kept, "wordings", found)


def test_our_own_wording_is_not_recorded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said(monkeypatch, OFFICIAL[1], ours("classic"))
    with pytest.raises(SystemExit, match="kept: expected the official wording of classic, got none"):
        kept.record(folder.parent, folder)
    assert files(folder) == ["transcripts/old.jsonl"]


def test_what_is_new_takes_the_place_of_what_was_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def record(wordings: Sequence[Wording], new: Path) -> None:
        assert files(folder)[-1] == "transcripts/old.jsonl"
        (new / f"{wordings[0].dialect}.jsonl").write_text("{}")

    said(monkeypatch, *OFFICIAL)
    monkeypatch.setattr(kept, "_record", record)
    kept.record(folder.parent, folder)
    assert files(folder) == ["transcripts/classic.jsonl"]


def test_a_recording_that_fails_leaves_everything_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_said: object, new: Path) -> None:
        (new / "half.jsonl").write_text("{}")
        raise RuntimeError

    said(monkeypatch, *OFFICIAL)
    monkeypatch.setattr(kept, "_record", fail)
    with pytest.raises(RuntimeError):
        kept.record(folder.parent, folder)
    assert files(folder) == ["transcripts/old.jsonl"]
