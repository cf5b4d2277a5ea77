from pathlib import Path

import pytest

from quintet.environments.hotpotqa.corpus.corpus import CorpusPage
from quintet.environments.hotpotqa.corpus.file import build_corpus
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.sources import library
from quintet.environments.hotpotqa.sources.library import question_library, react_order, with_paper_splits
from quintet.errors import UsageError
from tests.actors.environments.hotpotqa.records import MILLS, RIVER, write_array, write_lines


def test_a_folder_has_dev_and_train_and_its_tests_are_passed_over(tmp_path: Path) -> None:
    write_array(tmp_path / "hotpot_dev_distractor_v1.json", RIVER)
    write_array(tmp_path / "hotpot_train_v1.1.json", MILLS)
    (tmp_path / "hotpot_test_fullwiki_v1.json").write_text("no JSON")
    (tmp_path / "README.md").write_text("notes")
    found = question_library(tmp_path, None)
    assert list(found.questions) == ["dev", "train", "react", "autoplan", "lats"]
    assert found.corpus.facts.pages == 4
    assert found.corpus.facts.date == "2017-10-01"
    page = found.corpus.page("Ubley Mill")
    assert page is not None
    assert page.sentences == ("Ubley Mill is a mill.", "It stands on the Sill.")


def test_no_files_no_questions_a_question_twice_and_two_files_of_one_split_are_refused(tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "empty.jsonl"), write_lines(tmp_path / "twice.jsonl", RIVER, MILLS, RIVER)
    (tmp_path / "none").mkdir()
    for data, said in (
        (tmp_path / "none", "expected a file such as"),
        (lines[0], r"expected questions, got none \(.*empty"),
        (lines[1], r"expected one question 5a76.*, got numbers 1 and 3"),
        (tmp_path, "expected one file of dev questions, got empty.jsonl and twice.jsonl"),
    ):
        with pytest.raises(UsageError, match=said):
            question_library(data, None)


def test_a_question_of_two_splits_is_refused(tmp_path: Path) -> None:
    for name in ("dev.json", "train.json"):
        write_array(tmp_path / name, RIVER)
    with pytest.raises(UsageError, match=r"expected question 5a76\w+ in one split, got dev and train"):
        question_library(tmp_path, None)


def test_a_corpus_replaces_the_pages_of_the_questions(tmp_path: Path) -> None:
    file = tmp_path / "corpus.sqlite"
    build_corpus(file, [CorpusPage("Elsewhere", ("Nothing.",))], date="2020-01-01", source="one page")
    found = question_library(write_lines(tmp_path / "dev.jsonl", RIVER), file)
    assert found.corpus.page("Ubley Mill") is None
    assert found.corpus.facts.date == "2020-01-01"


def test_a_corpus_without_questions_and_too_many_questions_without_one_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="corpus: expected `data` with it"):
        question_library(None, tmp_path / "corpus.sqlite")
    monkeypatch.setattr(library, "_MOST", 1)
    with pytest.raises(UsageError, match="corpus: expected a file for more than 1 questions, got none"):
        question_library(write_lines(tmp_path / "dev.jsonl", RIVER, MILLS), None)


def questions(count: int, level: str = "hard") -> tuple[QuestionRecord, ...]:
    return tuple(
        QuestionRecord(name=str(number), text="Who?", answer="me", type="bridge", level=level, facts=())
        for number in range(count)
    )


def test_reacts_order_of_the_official_questions_is_that_of_its_code() -> None:
    assert [question.name for question in react_order(questions(7405))[:4]] == ["3687", "6238", "5388", "3522"]


def test_papers_orders_are_further_splits_as_long_as_there_are_questions() -> None:
    found = with_paper_splits({"dev": questions(7405), "train": questions(60, "easy") + questions(70)})
    assert {split: len(found[split]) for split in found} == (
        {"dev": 7405, "train": 130, "react": 500, "autoplan": 200, "autoplan-train": 50, "lats": 100}
    )
    assert {question.level for question in found["autoplan-train"]} == {"hard"}
    assert list(with_paper_splits({"train": questions(3, "easy")})) == ["train", "lats"]
