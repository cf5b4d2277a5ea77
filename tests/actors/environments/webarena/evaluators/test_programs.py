"""Checks of pages: where they go, what they take, and what they compare it with."""

import asyncio
from typing import Any

import pytest

from quintet.environments.webarena.evaluators.evaluate import check_holds
from tests.actors.environments.webarena.evaluators.pages import FORUM, SHOP, FixedPages, judged
from tests.actors.environments.webarena.official import program_task


def holds(page: FixedPages, order_url: str = "", **check: Any) -> bool:
    (read,) = program_task(check).eval.program_html
    return asyncio.run(check_holds(read, judged(page, order_url)))


TITLE = "document.querySelector('h1').outerText"


def test_last_is_the_page_where_the_task_ended_as_it_is() -> None:
    page = FixedPages(sources={None: "<p>A mug</p>"})
    assert holds(page)
    assert page.asked == [(None, "", ())]


def test_an_address_is_gone_to_with_its_placeholder_filled() -> None:
    page = FixedPages(values={TITLE: "Mugs"})
    assert holds(page, url="__SHOPPING__/c/mugs", locator=TITLE)
    assert page.asked == [(f"{SHOP}/c/mugs", TITLE, ())]


def test_an_address_may_come_from_a_function() -> None:
    page = FixedPages(f"{FORUM}/f/mugs/12/title", sources={f"{FORUM}/f/mugs/12/": "a mug"})
    assert holds(page, url="func:reddit_get_post_url('__last_url__')")
    page = FixedPages(sources={f"{SHOP}/o/7/": "a mug"})
    assert holds(page, f"{SHOP}/o/7/", url="func:shopping_get_latest_order_url()")


def test_where_a_function_has_no_address_nothing_holds() -> None:
    page = FixedPages(sources={"": "a mug", None: "a mug"})
    assert not holds(page, url="func:shopping_get_latest_order_url()")
    assert page.asked == []


def test_a_place_may_come_from_a_function() -> None:
    locator = "func:shopping_get_sku_latest_review_author('MUG-1')"
    assert holds(FixedPages(), locator=locator, required_contents={"exact_match": "Ida"})


def test_scripts_run_on_the_page_before_its_place_is_taken() -> None:
    page = FixedPages(values={TITLE: "a mug"})
    assert holds(page, locator=TITLE, prep_actions=["document.querySelector('a').click()"])
    assert page.asked == [(None, TITLE, ("document.querySelector('a').click()",))]


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
