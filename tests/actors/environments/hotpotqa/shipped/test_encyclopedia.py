"""The shipped questions: each is answered by reading two pages, and no bridge question names the page of its answer."""

import string
from collections import Counter
from itertools import combinations

from quintet.environments.hotpotqa.scoring import normalize_answer
from quintet.environments.hotpotqa.shipped.encyclopedia import (
    SHIPPED_SPLITS,
    shipped_corpus,
    shipped_pages,
    shipped_questions,
)
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.messages.environment import Task

ALL = [question for questions in shipped_questions().values() for question in questions]
BRIDGE = [question for question in ALL if question.type == "bridge"]


def test_both_splits_hold_both_types() -> None:
    counts = {split: Counter(question.type for question in shipped_questions()[split]) for split in SHIPPED_SPLITS}
    assert counts == {split: {"bridge": 42, "comparison": 18} for split in SHIPPED_SPLITS}
    assert len({question.name for question in ALL}) == len({question.text for question in ALL}) == 120


def test_pages_have_distinct_titles_and_whole_sentences() -> None:
    pages = list(shipped_pages())
    assert shipped_corpus().facts.pages == len(pages) == len({page.title for page in pages})
    for page in pages:
        assert len(page.sentences) >= 3, page.title
        for sentence in page.sentences:
            assert sentence[0] in string.ascii_uppercase, sentence
            assert sentence.endswith("."), sentence
            assert set(sentence) <= set(string.printable), sentence


def test_the_experts_searches_read_the_facts_and_the_answer() -> None:
    world, corpus = HotpotQa(), shipped_corpus()
    for question in ALL:
        state = world.open(Task(name=question.name, seed=0))
        *reading, answer = state.expert()
        assert 2 <= len(reading) <= 5, question.name
        seen = " ".join(state.step(action).observation for action in reading)
        for fact in question.facts:
            page = corpus.page(fact.title, exact=True)
            assert page is not None
            assert page.sentences[fact.sentence] in seen, (question.name, fact)
        if question.answer not in ("yes", "no"):
            assert normalize_answer(question.answer) in normalize_answer(seen), question.name
        assert state.step(answer).reward == 1


def test_every_question_needs_two_pages_and_a_comparison_names_both() -> None:
    for question in ALL:
        assert len({fact.title for fact in question.facts}) == 2, question.name
        if question.type == "comparison":
            assert all(fact.title.lower() in question.text.lower() for fact in question.facts), question.name


def test_no_words_of_a_bridge_question_open_the_page_of_its_answer() -> None:
    for question in BRIDGE:
        words = question.text.rstrip("?").split()
        for first, last in combinations(range(len(words) + 1), 2):
            page = shipped_corpus().page(" ".join(words[first:last]).rstrip(",").removesuffix("'s"))
            assert page is None or page.title != question.facts[-1].title, question.name


def test_the_first_page_of_a_bridge_question_names_the_second() -> None:
    for question in BRIDGE:
        first, second = question.facts
        page = shipped_corpus().page(first.title, exact=True)
        assert page is not None
        named = page.sentences[first.sentence].lower()
        title = second.title.lower().removeprefix("the ")
        parts = (title, title.partition(" of ")[0], title.partition("-")[0])
        assert any(part in named for part in parts), question.name
