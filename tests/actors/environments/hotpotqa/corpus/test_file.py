import pickle
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from quintet.environments.hotpotqa.corpus.corpus import CorpusPage
from quintet.environments.hotpotqa.corpus.file import build_corpus, corpus_of, open_corpus
from quintet.errors import UsageError, WorldFault

PAGES = [CorpusPage(f"Page {number}", (f"The {number}th page.", "It ends.")) for number in range(200)]


def build(folder: Path) -> Path:
    file = folder / "corpus.sqlite"
    build_corpus(file, PAGES, date="2020-02-03", source="test")
    return file


def test_a_file_says_what_it_holds_and_equal_pages_have_equal_digests(tmp_path: Path) -> None:
    facts = open_corpus(build(tmp_path)).facts
    assert (facts.date, facts.pages, facts.source) == ("2020-02-03", 200, "test")
    in_memory = corpus_of(PAGES, date="2020-02-03", source="test")
    assert in_memory.facts == facts
    assert corpus_of(PAGES[1:], date="2020-02-03", source="test").facts.digest != facts.digest


def test_of_pages_with_one_title_the_first_is_kept() -> None:
    pages = [CorpusPage("A", ("First.",)), CorpusPage("a", ("Other.",)), CorpusPage("A", ("Second.",))]
    found = corpus_of(pages, date="2020-01-01", source="test")
    assert found.facts.pages == 2
    page = found.page("A")
    assert page is not None
    assert page.sentences == ("First.",)


def test_a_file_is_opened_for_reading_only_and_many_times(tmp_path: Path) -> None:
    file = build(tmp_path)
    file.chmod(0o400)
    first, second = open_corpus(file), open_corpus(file)
    assert first.similar("page 17") == second.similar("page 17") == ("Page 17", *first.similar("page 17")[1:])
    assert [found.name for found in tmp_path.iterdir()] == ["corpus.sqlite"]


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    file = build(tmp_path)
    whole = file.read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 50, 0):
        file.write_bytes(whole[:size])
        with pytest.raises(UsageError, match=r"corpus: expected .*corpus\.sqlite"):
            open_corpus(file)


def test_damage_inside_a_file_names_it_when_it_is_met(tmp_path: Path) -> None:
    file = build(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    with pytest.raises(UsageError, match=r"corpus: expected a whole file, got .*corpus\.sqlite"):
        open_corpus(file)
    file.write_bytes(whole[:8192] + bytes(len(whole) - 8192))
    corpus = open_corpus(file)
    with pytest.raises(WorldFault, match=r"corpus: expected a whole file, got .*corpus\.sqlite"):
        corpus.page("Page 1")


def test_another_file_or_version_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "journal.sqlite"
    with sqlite3.connect(other) as made:
        made.execute("CREATE TABLE pages (title)")
    made.close()
    with pytest.raises(UsageError, match="expected one made by `quintet data build`, got another file"):
        open_corpus(other)
    with pytest.raises(UsageError, match="corpus: expected a file, got No such file"):
        open_corpus(tmp_path / "none")
    file = build(tmp_path)
    with sqlite3.connect(file) as made:
        made.execute("UPDATE facts SET value = '0' WHERE name = 'format'")
    made.close()
    with pytest.raises(UsageError, match="expected format 1, got 0; build it anew"):
        open_corpus(file)


def test_a_build_that_fails_leaves_nothing_and_one_that_exists_stays(tmp_path: Path) -> None:
    def broken() -> Iterator[CorpusPage]:
        yield PAGES[0]
        raise UsageError("--dump: expected a whole file")

    for pages in (broken(), iter(())):
        with pytest.raises(UsageError, match="expected"):
            build_corpus(tmp_path / "new.sqlite", pages, date="2020-01-01", source="test")
    assert list(tmp_path.iterdir()) == []
    file = build(tmp_path)
    with pytest.raises(UsageError, match="--out: expected a new file, got one that exists"):
        build_corpus(file, PAGES, date="2020-01-01", source="test")
    with pytest.raises(UsageError, match="--out: expected a file that can be written"):
        build_corpus(tmp_path / "none" / "new.sqlite", PAGES, date="2020-01-01", source="test")


def test_a_file_that_was_replaced_is_not_read_on(tmp_path: Path) -> None:
    file = build(tmp_path)
    opened = open_corpus(file)
    build_corpus(tmp_path / "other", PAGES[1:], date="2020-02-03", source="test")
    (tmp_path / "other").replace(file)
    assert opened.page("Page 0") is not None  # this thread has it open
    with ThreadPoolExecutor(1) as pool, pytest.raises(WorldFault, match=r"expected pages of digest .* with others"):
        pool.submit(opened.page, "Page 0").result()
    with pytest.raises(UsageError, match="expected pages of digest"):
        pickle.loads(pickle.dumps(opened))
