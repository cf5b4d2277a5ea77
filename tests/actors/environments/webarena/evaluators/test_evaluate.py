"""A task's verdict: the product of its evaluators, and what is left to a judge."""

import asyncio
from typing import Any

import pytest

from quintet.environments.webarena.evaluators.evaluate import WebVerdict, check_holds, evaluate_task
from quintet.environments.webarena.tasks.schema import WebTask
from quintet.ports.world import AnswerToGrade
from tests.actors.environments.webarena.evaluators.pages import FORUM, SHOP, FixedPages, judged
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


MUG = {"url": "last", "locator": "", "required_contents": {"must_include": ["mug"]}}
BOTH = {
    "eval_types": ["url_match", "program_html"],
    "reference_url": "__SHOPPING__/cart",
    "reference_answers": None,
    "program_html": [MUG],
}


@pytest.mark.parametrize("at", ["/cart", "/"])
@pytest.mark.parametrize("shows", ["a mug", "a cup"])
def test_the_score_is_the_product(at: str, shows: str) -> None:
    page = FixedPages(f"{SHOP}{at}", sources={None: shows})
    assert evaluate(web_task(eval=BOTH), page=page).reward() == float(at == "/cart" and shows == "a mug")
    assert evaluate(program_task({}), page=page).reward() == float(shows == "a mug")


def test_every_check_must_hold_and_none_is_made_after_one_that_does_not() -> None:
    page = FixedPages(sources={None: "a mug", f"{SHOP}/b": "a cup", f"{SHOP}/c": "a mug"})
    urls = [{"url": url} for url in ("last", "__SHOPPING__/b", "__SHOPPING__/c")]
    assert evaluate(program_task(*urls), page=page).reward() == 0.0
    assert [url for url, *_ in page.asked] == [None, f"{SHOP}/b"]
    assert evaluate(program_task(urls[0], urls[2]), page=page).reward() == 1.0


def holds(page: FixedPages, order_url: str = "", **check: Any) -> bool:
    (read,) = program_task(check).eval.program_html
    return asyncio.run(check_holds(read, judged(page, order_url)))


TITLE, CLICK = "document.querySelector('h1').outerText", "document.querySelector('a').click()"


@pytest.mark.parametrize(
    ("check", "asked"),
    [
        ({}, (None, "", ())),
        ({"url": "__SHOPPING__/c/mugs", "locator": TITLE}, (f"{SHOP}/c/mugs", TITLE, ())),
        ({"locator": TITLE, "prep_actions": [CLICK]}, (None, TITLE, (CLICK,))),
        ({"url": "func:reddit_get_post_url('__last_url__')"}, (f"{FORUM}/f/mugs/12/", "", ())),
        ({"url": "func:shopping_get_latest_order_url()"}, (f"{SHOP}/o/7/", "", ())),
    ],
)
def test_a_check_goes_to_its_address_and_takes_its_place(check: dict[str, Any], asked: tuple[object, ...]) -> None:
    sources = {None: "<p>A mug</p>", f"{FORUM}/f/mugs/12/": "a mug", f"{SHOP}/o/7/": "a mug"}
    page = FixedPages(f"{FORUM}/f/mugs/12/title", sources=sources, values={TITLE: "Mugs"})
    assert holds(page, f"{SHOP}/o/7/", **check)
    assert page.asked == [asked]


def test_where_a_function_has_no_address_nothing_holds_and_a_place_may_come_from_one() -> None:
    page = FixedPages(sources={"": "a mug", None: "a mug"})
    assert not holds(page, url="func:shopping_get_latest_order_url()")
    assert page.asked == []
    locator = "func:shopping_get_sku_latest_review_author('MUG-1')"
    assert holds(FixedPages(), locator=locator, required_contents={"exact_match": "Ida"})


@pytest.mark.parametrize(
    ("required", "text", "expected"),
    [
        ({"must_include": ["Mug", "blue"]}, "A BLUE mug", True),
        ({"must_include": ["Mug", "red"]}, "A BLUE mug", False),
        ({"must_include": ["cup |OR| mug"]}, "A BLUE mug", True),
        ({"must_include": ["cup |OR| glass"]}, "A BLUE mug", False),
        ({"must_include": ['Tea & "Mug\'s"']}, "Tea &amp; &quot;Mug&#39;s&quot;", True),
        ({"must_include": ["0"]}, "10", True),
        ({"must_include": ["__REDDIT__/f/mugs"]}, f"see {FORUM}/f/mugs", True),
        ({"exact_match": "Mug"}, " 'mug' ", True),
        ({"exact_match": "Mug"}, "a mug", False),
        ({"exact_match": "cup |OR| mug"}, "mug", False),
        ({"exact_match": "true"}, "True", True),
        ({"exact_match": ""}, "", True),
    ],
)
def test_contents_are_compared_as_published(required: dict[str, Any], text: str, expected: bool) -> None:
    assert holds(FixedPages(values={TITLE: text}), locator=TITLE, required_contents=required) is expected
