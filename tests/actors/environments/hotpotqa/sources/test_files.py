import bz2
from pathlib import Path

import pytest

from quintet.environments.hotpotqa.sources.files import read_dump
from quintet.errors import UsageError
from tests.actors.environments.hotpotqa.records import write_lines


def test_pages_are_read_from_all_folders_in_order(tmp_path: Path) -> None:
    (tmp_path / "AB").mkdir()
    packed = b'{"id": "1", "title": "A &amp; B", "text": ["One.", " Two."], "charoffset": []}\n\n'
    (tmp_path / "AB" / "wiki_00.bz2").write_bytes(bz2.compress(packed))
    write_lines(tmp_path / "z.jsonl", {"title": "C", "text": [["C."], ["Long.", "Longer."]]})
    assert [(page.title, page.sentences) for page in read_dump(tmp_path)] == [
        ("A & B", ("One.", " Two.")),
        ("C", ("C.", "Long.", "Longer.")),
    ]


def test_a_bad_page_is_named(tmp_path: Path) -> None:
    good = {"title": "A", "text": ["One."]}
    with pytest.raises(UsageError, match=r"missing required field `text` \(.*, line 2\)"):
        list(read_dump(write_lines(tmp_path / "a.jsonl", good, {"title": "B"})))
    with pytest.raises(UsageError, match=r"expected a title, got none \(.*, page 2\)"):
        list(read_dump(write_lines(tmp_path / "b.jsonl", good, {"title": " ", "text": []})))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="expected files of pages, got none"):
        read_dump(tmp_path / "empty")
