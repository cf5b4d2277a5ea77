from pathlib import Path

import pytest

from quintet.environments.hotpotqa.corpus.file import build_corpus
from quintet.environments.hotpotqa.corpus.page import CorpusPage
from quintet.environments.hotpotqa.sources import library
from quintet.environments.hotpotqa.sources.library import question_library
from quintet.errors import UsageError
from tests.actors.environments.hotpotqa.records import MILLS, RIVER, write_array, write_lines


def test_a_folder_has_dev_and_train_and_its_tests_are_passed_over(tmp_path: Path) -> None:
    write_array(tmp_path / "hotpot_dev_distractor_v1.json", RIVER)
    write_array(tmp_path / "hotpot_train_v1.1.json", MILLS)
    (tmp_path / "hotpot_test_fullwiki_v1.json").write_text("no JSON")
    (tmp_path / "README.md").write_text("notes")
    found = question_library(tmp_path, None)
    assert list(found.questions) == ["dev", "train", "react", "autoplan"]
    assert found.corpus.facts.pages == 4
    assert found.corpus.facts.date == "2017-10-01"
    page = found.corpus.page("Ubley Mill")
    assert page is not None
    assert page.sentences == ("Ubley Mill is a mill.", "It stands on the Sill.")


def test_two_files_of_one_split_are_refused(tmp_path: Path) -> None:
    for name in ("hotpot_dev_distractor_v1.json", "hotpot_dev_fullwiki_v1.json"):
        write_array(tmp_path / name, RIVER)
    with pytest.raises(UsageError, match="expected one file of dev questions, got hotpot_dev_distractor"):
        question_library(tmp_path, None)


def test_no_files_no_questions_and_a_question_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a file such as"):
        question_library(tmp_path, None)
    with pytest.raises(UsageError, match=r"expected questions, got none \(.*empty"):
        question_library(write_lines(tmp_path / "empty.jsonl"), None)
    with pytest.raises(UsageError, match=r"expected one question 5a76.*, got numbers 1 and 3"):
        question_library(write_lines(tmp_path / "twice.jsonl", RIVER, MILLS, RIVER), None)


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


def test_a_corpus_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="corpus: expected `data` with it"):
        question_library(None, tmp_path / "corpus.sqlite")


def test_too_many_questions_for_memory_need_a_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_MOST", 1)
    file = write_lines(tmp_path / "dev.jsonl", RIVER, MILLS)
    with pytest.raises(UsageError, match="corpus: expected a file for more than 1 questions, got none"):
        question_library(file, None)
