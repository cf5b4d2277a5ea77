import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.hotpotqa.corpus.corpus import Corpus
from quintet.environments.hotpotqa.corpus.file import corpus_of
from quintet.environments.hotpotqa.corpus.page import CorpusPage

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
