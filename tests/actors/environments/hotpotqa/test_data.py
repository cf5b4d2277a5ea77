from pathlib import Path

import pytest

from quintet.environments.hotpotqa.corpus.file import open_corpus
from quintet.environments.hotpotqa.data import build_pages, check_questions
from quintet.errors import UsageError
from tests.actors.environments.hotpotqa.records import MILLS, RIVER, write_array, write_lines


def test_a_corpus_is_built_of_contexts_or_of_a_dump(tmp_path: Path) -> None:
    questions = write_lines(tmp_path / "dev.jsonl", RIVER, MILLS)
    built = build_pages(out=tmp_path / "contexts.sqlite", questions=questions)
    assert built.counts == {"2017-10-01": {"pages": 4}}
    assert built.notes[0].endswith(f"--set environment.corpus={tmp_path / 'contexts.sqlite'} reads it")
    dump = write_lines(tmp_path / "wiki_00", {"title": "Ubley", "text": ["A village."]})
    assert build_pages(out=tmp_path / "dump.sqlite", dump=dump, date="2020-01-01").counts == {
        "2020-01-01": {"pages": 1}
    }
    assert open_corpus(tmp_path / "dump.sqlite").facts.source == "wiki_00"


def test_one_source_and_the_date_of_a_dump_are_needed(tmp_path: Path) -> None:
    out = tmp_path / "new.sqlite"
    with pytest.raises(UsageError, match="expected either --questions or --dump, got neither"):
        build_pages(out=out)
    with pytest.raises(UsageError, match="expected either --questions or --dump, got both"):
        build_pages(out=out, questions=out, dump=out)
    for date, got in (("", "none"), ("yesterday", "yesterday"), ("20171001", "20171001")):
        with pytest.raises(UsageError, match=f"--date: expected the day of the dump, such as 2017-10-01, got {got}"):
            build_pages(out=out, dump=out, date=date)
    with pytest.raises(UsageError, match=r"data: expected a file, got none \(.*new.sqlite\)"):
        build_pages(out=tmp_path / "other.sqlite", questions=out)


def test_a_check_counts_questions_and_names_those_whose_facts_are_missing(tmp_path: Path) -> None:
    missing = RIVER | {"_id": "0" * 24, "supporting_facts": [["Nowhere", 0], ["Ubley", 7]], "answer": "Thames"}
    found = check_questions(write_array(tmp_path / "dev.json", RIVER, MILLS, missing))
    assert found.counts == {"dev": {"bridge": 2, "comparison": 1}}
    assert found.errors == (
        f"bad: {'0' * 24}: expected a page 'Nowhere', got none",
        f"bad: {'0' * 24}: expected a sentence 7, got 1 sentences of 'Ubley'",
    )
    assert found.notes == ("answers that no supporting fact has word for word: 1",)


def test_a_check_reads_a_corpus(tmp_path: Path) -> None:
    questions = write_lines(tmp_path / "dev.jsonl", RIVER, MILLS)
    build_pages(out=tmp_path / "corpus.sqlite", questions=write_lines(tmp_path / "other.jsonl", MILLS))
    found = check_questions(questions, corpus=tmp_path / "corpus.sqlite")
    assert [error.split(": ")[1] for error in found.errors] == [RIVER["_id"]] * 2
