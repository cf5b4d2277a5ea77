"""A task's verdict: the product of its evaluators, and what is left to a judge."""

import asyncio
from typing import Any

import pytest

from quintet.environments.webarena.evaluators.evaluate import WebVerdict, evaluate_task
from quintet.environments.webarena.tasks.schema import WebTask
from quintet.ports.world import AnswerToGrade
from tests.actors.environments.webarena.evaluators.pages import SHOP, FixedPages, judged
from tests.actors.environments.webarena.official import program_task, web_task


def evaluate(task: WebTask, answer: str = "", page: FixedPages | None = None) -> WebVerdict:
    return asyncio.run(evaluate_task(task, answer, judged(page or FixedPages())))


def answered(answer: str, **references: Any) -> WebVerdict:
    return evaluate(web_task(eval={"reference_answers": references, "string_note": "Nobody sells it."}), answer)


@pytest.mark.parametrize(
    ("references", "answer", "reward"),
    [
        ({"exact_match": "Blue mug"}, "blue mug", 1.0),
        ({"exact_match": "Blue mug"}, "the blue mug", 0.0),
        ({"must_include": ["mug", "cup"]}, "a cup and a mug", 1.0),
        ({"must_include": ["mug", "cup"]}, "a cup", 0.0),
        ({"must_include": ["0"]}, "10", 0.0),
        ({"must_include": ["0", "1"]}, "10", 1.0),
        ({"must_include": ["65 |OR| 3"]}, "3", 0.0),
        ({"exact_match": "mug", "must_include": ["m"]}, "mug", 0.0),
    ],
)
def test_an_answer_must_match_in_each_way(references: dict[str, Any], answer: str, reward: float) -> None:
    verdict = answered(answer, **references)
    assert (verdict.reward(), verdict.to_grade) == (reward, ())


def test_a_fuzzy_reference_is_left_to_a_judge_with_all_its_parts() -> None:
    verdict = answered("13 minutes", fuzzy_match=["driving: 13min", "walking: 1h"])
    asked = AnswerToGrade(
        question="Which mug is the cheapest?", target="driving: 13min; walking: 1h", answer="13 minutes"
    )
    assert (verdict.reward(), verdict.to_grade) == (0.0, (asked,))
    assert [verdict.reward((each,)) for each in (True, False, None)] == [1.0, 0.0, 0.0]


def test_n_a_needs_no_judge_and_another_answer_one_who_compares_the_reasons() -> None:
    assert answered(" 'n/a' ", fuzzy_match="N/A").reward() == 1.0
    verdict = answered("It is sold nowhere", fuzzy_match="N/A")
    (asked,) = verdict.to_grade
    assert (asked.target, asked.answer, asked.criterion) == ("Nobody sells it.", "It is sold nowhere", "reason")
    assert (verdict.reward(), verdict.reward((True,))) == (0.0, 1.0)


def test_no_judge_is_asked_where_the_rest_does_not_hold() -> None:
    verdict = answered("a cup", must_include=["mug"], fuzzy_match=["a mug"])
    assert (verdict.to_grade, verdict.reward(())) == ((), 0.0)


BOTH = {"eval_types": ["url_match", "program_html"], "reference_url": "__SHOPPING__/cart"}


@pytest.mark.parametrize(
    ("at", "shows", "reward"),
    [("/cart", "a mug", 1.0), ("/cart", "a cup", 0.0), ("/", "a mug", 0.0), ("/", "a cup", 0.0)],
)
def test_the_score_is_the_product(at: str, shows: str, reward: float) -> None:
    task = program_task({})
    both = web_task(
        eval={
            **BOTH,
            "reference_answers": None,
            "program_html": [{"url": "last", "locator": "", "required_contents": {"must_include": ["mug"]}}],
        }
    )
    page = FixedPages(f"{SHOP}{at}", sources={None: shows})
    assert evaluate(both, page=page).reward() == reward
    assert evaluate(task, page=page).reward() == float(shows == "a mug")


def test_every_check_must_hold_and_none_is_made_after_one_that_does_not() -> None:
    page = FixedPages(sources={None: "a mug", f"{SHOP}/b": "a cup", f"{SHOP}/c": "a mug"})
    urls = [{"url": url} for url in ("last", "__SHOPPING__/b", "__SHOPPING__/c")]
    assert evaluate(program_task(*urls), page=page).reward() == 0.0
    assert [url for url, *_ in page.asked] == [None, f"{SHOP}/b"]
    assert evaluate(program_task(urls[0], urls[2]), page=page).reward() == 1.0
