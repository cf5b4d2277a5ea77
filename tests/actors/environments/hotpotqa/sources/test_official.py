import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.hotpotqa.questions import SupportingFact
from quintet.environments.hotpotqa.sources.official import read_questions, read_with_pages
from quintet.errors import UsageError
from tests.actors.environments.hotpotqa.records import MILLS, RIVER, write_array, write_lines


def test_both_forms_are_read_from_lines_and_arrays(tmp_path: Path) -> None:
    lines = list(read_with_pages(write_lines(tmp_path / "dev.jsonl", RIVER, MILLS)))
    assert list(read_with_pages(write_array(tmp_path / "dev.json", RIVER, MILLS))) == lines
    (river, pages), (mills, _) = lines
    assert (river.name, river.type, river.level) == ("5a7613c15542994ccc9186bf", "bridge", "hard")
    assert river.text == "Which river does the mill of Tolland & Sons stand on?"
    assert river.facts == (SupportingFact("Tolland & Sons", 0), SupportingFact("Ubley Mill", 1))
    assert [page.title for page in pages] == ["Tolland & Sons", "Ubley Mill", "Ubley"]
    assert mills.facts == (SupportingFact("Ubley Mill", 0), SupportingFact("Harn Mill", 0))


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_compressed_files_are_read_and_a_cut_off_one_is_refused(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"dev.jsonl{suffix}"
    text = f"{json.dumps(RIVER)}\n".encode()
    packed = gzip.compress(text) if suffix == ".gz" else bz2.compress(text)
    file.write_bytes(packed)
    assert [question.answer for question in read_questions(file)] == ["Sill"]
    file.write_bytes(packed[:-20])
    with pytest.raises(UsageError, match=r"data: expected a whole file, got .*dev\.jsonl"):
        list(read_questions(file))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"answer": " "}, r"expected a text in `answer` of 5a76\w+, got none \(.*, question 2\)"),
        ({"question": ""}, r"expected a text in `question` of"),
        ({"_id": None}, r"expected an id in `_id` or `id`, .* got None \(.*, question 2\)"),
        ({"_id": "a/b"}, r"got 'a/b'"),
        ({"type": "riddle"}, r"Invalid enum value 'riddle' - at `\$\.type` \(.*dev\.jsonl, line 2\)"),
        ({"answer": 3}, r"Expected `str`, got `int` - at `\$\.answer`"),
        ({"supporting_facts": [["Ubley"]]}, r"at `\$\.supporting_facts"),
        ({"context": "none"}, r"at `\$\.context`"),
        ({"supporting_facts": [["Ubley", -1]]}, r"Expected `int` >= 0 - at `\$\.supporting_facts"),
        ({"supporting_facts": [["Ubley", 10**30]]}, r"at `\$\.supporting_facts"),
        ({"supporting_facts": {"title": ["Ubley"], "sent_id": []}}, r"a `sent_id` for each `title`, got 0 for 1"),
        ({"context": {"title": [], "sentences": [["It."]]}}, r"a `sentences` for each `title`, got 1 for 0"),
    ],
)
def test_a_bad_record_is_named_by_number_and_field(tmp_path: Path, change: dict[str, Any], error: str) -> None:
    file = write_lines(tmp_path / "dev.jsonl", MILLS, RIVER | change)
    with pytest.raises(UsageError, match=error):
        list(read_with_pages(file))


def test_a_record_without_an_answer_or_a_context_names_the_field(tmp_path: Path) -> None:
    for field in ("answer", "context"):
        record = {name: value for name, value in RIVER.items() if name != field}
        with pytest.raises(UsageError, match=rf"missing required field `{field}` - at `\$\[1\]`"):
            list(read_with_pages(write_array(tmp_path / "dev.json", MILLS, record)))
        assert field == "answer" or list(read_questions(tmp_path / "dev.json"))


def test_a_file_that_ends_early_is_missing_or_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    whole = write_array(tmp_path / "dev.json", RIVER)
    whole.write_text(whole.read_text()[:-9])
    deep = tmp_path / "deep.json"
    deep.write_text('{"x": ' + "[" * 20_000 + "]" * 20_000 + "}")
    for file in (whole, tmp_path / "none.json", deep):
        with pytest.raises(UsageError, match=rf"data: expected .*{file.name}"):
            list(read_questions(file))
