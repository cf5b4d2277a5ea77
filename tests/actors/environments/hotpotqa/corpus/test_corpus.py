import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.hotpotqa.corpus.corpus import Corpus, CorpusPage, clean_line, title_key, title_words
from quintet.environments.hotpotqa.corpus.file import corpus_of

TITLES = (
    "Adam Clay",
    "Adam Clay Powers Jr.",
    "Adam Powers",
    "Adam Clay Powers (film)",
    "Clay Avenue (Harn)",
    "The Clay",
    "the clay",
    "Éva Kovač",
)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of([CorpusPage(title, (f"About {title}.",)) for title in TITLES], date="2020-01-01", source="test")


@pytest.mark.parametrize(
    ("sought", "title"),
    [
        ("Adam Clay", "Adam Clay"),
        ("adam  CLAY", "Adam Clay"),
        ("The Clay", "The Clay"),
        ("the clay", "the clay"),
        ("THE CLAY", "The Clay"),
        ("Eva Kovac", "Éva Kovač"),
        ("Adam", None),
        ("", None),
    ],
)
def test_a_title_is_found_as_written_or_else_without_case_and_accents(
    corpus: Corpus, sought: str, title: str | None
) -> None:
    page = corpus.page(sought)
    assert (page and page.title) == title
    exact = corpus.page(sought, exact=True)
    assert (exact and exact.title) == (sought if sought in TITLES else None)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Adam Clay Powers", ("Adam Clay Powers Jr.", "Adam Clay Powers (film)", "Adam Powers", "Adam Clay")),
        ("the works of Kovac", ("Éva Kovač", "The Clay", "the clay")),
        ("nothing like it", ()),
        ('adam" OR "clay', ("Adam Clay", "Adam Clay Powers Jr.", "Adam Clay Powers (film)")),
        ("NEAR(adam) AND NOT titles:clay*", ("Adam Clay", "Adam Clay Powers Jr.", "Adam Clay Powers (film)")),
    ],
)
def test_similar_titles_share_the_rarest_words(corpus: Corpus, text: str, titles: tuple[str, ...]) -> None:
    assert corpus.similar(text)[: len(titles)] == titles
    assert bool(corpus.similar(text)) == bool(titles)


@given(st.text() | st.sampled_from(["x" * 10_000, " ".join(map(str, range(2_000)))]))
def test_any_text_is_looked_up(text: str) -> None:
    assert len(_SHARED.similar(text)) <= 5
    page = _SHARED.page(text.encode(errors="replace").decode())
    assert page is None or page.title in TITLES


_SHARED = corpus_of([CorpusPage(title, ()) for title in TITLES], date="2020-01-01", source="test")


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_reads_it_through_a_connection_of_its_own(corpus: Corpus) -> None:
    with ThreadPoolExecutor(4) as pool:  # threads, too, at once
        (expected,) = set(pool.map(corpus.similar, ["Adam"] * 40))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, repr(corpus.similar("Adam")).encode())
        os._exit(0)
    os.close(writing)
    assert os.read(reading, 10_000).decode() == repr(expected)
    assert os.waitpid(child, 0)[1] == 0
    os.close(reading)


@pytest.mark.parametrize("written", ["Éva  Kovač", "eva_kovac", " EVA KOVAC "])
def test_a_title_is_found_without_its_case_accents_and_blanks(written: str) -> None:
    assert title_key(written) == "eva kovac"


def test_the_words_of_a_title_come_once_and_without_signs_and_a_line_is_clean() -> None:
    assert title_words('"A.B." and_a b (film, 1999)') == ["a", "b", "and", "film", "1999"]
    assert title_words("漢字 \u202e ()") == ["漢字"]
    assert clean_line(" a\n\tb\ud800 ") == "a b?"


def test_a_keyword_is_found_in_either_case() -> None:
    page = CorpusPage("A", ("The SEA.", "", "A lake.", "Seals."))
    assert page.with_keyword("sea") == ["The SEA.", "Seals."]
    assert page.with_keyword("") == ["The SEA.", "A lake.", "Seals."]
    assert not page.lists_others
    assert CorpusPage("A", ("A may refer to:", "A lake.")).lists_others
    assert not CorpusPage("A", ()).lists_others
