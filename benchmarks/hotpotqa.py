"""HotpotQA: steps, forks and snapshots, and searches in a large made-up corpus.

`python -m benchmarks.hotpotqa 5000000` measures as many pages as HotpotQA's Wikipedia has; `make bench` fewer.
"""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import Figure, rate
from quintet.environments.hotpotqa.corpus.corpus import Corpus, CorpusPage
from quintet.environments.hotpotqa.corpus.file import build_corpus, open_corpus
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.messages.environment import Task

_PAGES = 50_000
_MANY = 20_000
_QUERIES = 4_000
_WORDS = 200_000
_TASK = Task(name="anker-medal-donor-birthplace", seed=0)
_ACTIONS = (
    "search[Anker Medal]",
    "search[Valdemar Anker]",
    "lookup[born]",
    "search[the shipowner Anker]",
    "lookup[medal]",
)


def figures(pages: int = _PAGES) -> Iterator[Figure]:
    """On one core; searches are mixed: titles, titles with a word less or more, and single words."""
    world = HotpotQa()
    yield Figure("hotpotqa step on the shipped corpus", 1e6 / rate(lambda: _steps(world)), "us")
    state = world.open(_TASK)
    for action in _ACTIONS:
        state.step(action)

    def forks() -> int:
        for _ in range(_MANY):
            state.fork()
        return _MANY

    def moves() -> int:
        for _ in range(_MANY):
            world.restore(_TASK, state.snapshot())
        return _MANY

    yield Figure("hotpotqa fork", 1e6 / rate(forks), "us")
    yield Figure("hotpotqa snapshot, written and restored", 1e6 / rate(moves), "us", f"{len(state.snapshot())} bytes")
    with TemporaryDirectory() as folder:
        yield from _large(Path(folder) / "corpus.sqlite", pages)


def _steps(world: HotpotQa) -> int:
    for _ in range(_MANY // len(_ACTIONS)):
        state = world.open(_TASK)
        for action in _ACTIONS:
            state.step(action)
    return _MANY


def _large(file: Path, pages: int) -> Iterator[Figure]:
    started = time.perf_counter()
    build_corpus(file, made_up_pages(pages), date="2017-10-01", source="made up")
    size = f"{file.stat().st_size / 1e9:.2f} GB"
    yield Figure(f"hotpotqa corpus of {pages:,} pages, built", time.perf_counter() - started, "s", size)
    opened = rate(lambda: min(1, open_corpus(file).facts.pages))
    yield Figure(f"hotpotqa corpus of {pages:,} pages, opened", 1e3 / opened, "ms")
    corpus = open_corpus(file)
    titles = [page.title for page in made_up_pages(_QUERIES)]
    for kind, queries in _queries(titles).items():
        times = sorted(_search(corpus, query) for query in queries)
        middle, late = times[len(times) // 2], times[len(times) * 99 // 100]
        name = f"hotpotqa search of {kind}, {pages:,} pages, p99, CPU"
        yield Figure(name, 1e3 * late, "ms", f"{1e3 * middle:.2f} ms in the middle")


def _queries(titles: Sequence[str]) -> dict[str, list[str]]:
    chance = random.Random(3)
    fewer = [title.rsplit(" ", 1)[0] for title in titles]
    more = [f"{title} {chance.choice(titles).split()[0]}" for title in titles]
    single = [chance.choice(title.split()) for title in titles]
    mixed = [chance.choice(each) for each in zip(titles, fewer, more, single, strict=True)]
    return {"titles": list(titles), "a word less": fewer, "a word more": more, "one word": single, "all kinds": mixed}


def _search(corpus: Corpus, text: str) -> float:
    """Seconds of CPU of a search, which finds a page or lists similar titles."""
    started = time.thread_time()
    if corpus.page(text) is None:
        corpus.similar(text)
    return time.thread_time() - started


def made_up_pages(count: int) -> Iterator[CorpusPage]:
    """Pages with titles of one to four words, whose frequencies fall as those of English words do."""
    chance = random.Random(1)
    words = [_word(chance) for _ in range(_WORDS)]
    weights = list(accumulate(1 / (rank + 3) for rank in range(_WORDS)))
    sentence = "It lies in the valley of a river that is known for its mills and was first named in a charter."
    taken: set[str] = set()
    for number in range(count):
        names = chance.choices(words, cum_weights=weights, k=chance.choice((2, 2, 2, 3, 3, 4)))
        title = " ".join(name.capitalize() for name in names)
        if number % 4 == 0 or title in taken:
            title = f"{title} ({1800 + number % 220})"
        if title in taken:
            title = f"{title.removesuffix(')')}, {number})"
        taken.add(title)
        yield CorpusPage(title, (f"{title} is the {number}th page.", sentence, sentence, sentence))


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bcdfghklmnprstvw") + chance.choice("aeiou") for _ in range(chance.choice((2, 3, 4))))


if __name__ == "__main__":
    for figure in figures(int(sys.argv[1]) if len(sys.argv) > 1 else _PAGES):
        print(figure, flush=True)
