"""The `func:` table: which calls are read, and what they answer."""

import asyncio
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.evaluators.functions import (
    FunctionCall,
    UnreadableCall,
    call_function,
    member_role_script,
    read_call,
)
from tests.actors.environments.webarena.evaluators.pages import SHOP, FixedPages, judged

TEXTS = st.text(st.characters(exclude_characters="'\"\\\n", exclude_categories=["Cs"]), max_size=20)


def answer(
    text: str, place: Literal["url", "locator"], page: FixedPages, order_url: str = "", url: str | None = None
) -> str:
    return asyncio.run(call_function(read_call(text, place), judged(page, order_url), url))


@pytest.mark.parametrize(
    ("text", "place", "arguments"),
    [
        ("reddit_get_post_url('__last_url__')", "url", ("__last_url__",)),
        ("shopping_get_latest_order_url()", "url", ()),
        ("gitlab_get_project_memeber_role(__page__, 'ida')", "locator", ("__page__", "ida")),
        (' shopping_get_sku_latest_review_rating( "B0,(1)" ) ', "locator", ("B0,(1)",)),
    ],
)
def test_a_call_is_a_name_of_the_table_with_literal_arguments(
    text: str, place: Literal["url", "locator"], arguments: tuple[str, ...]
) -> None:
    assert read_call(text, place) == FunctionCall(text.strip().partition("(")[0], arguments)


NO_CALL, NO_NAME = "expected a call such as reddit_get_post_url", "expected one of reddit_get_post_url, shopping_"
NO_ARGUMENTS = r"expected reddit_get_post_url\('...'\), got reddit_get_post_url\("


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, NO_CALL) for text in ("reddit_get_post_url", "os.system('ls')", "")),
        *((f"{name}(__page__, 'ida')", NO_NAME) for name in ("eval", "gitlab_get_project_memeber_role")),
        *(
            (f"reddit_get_post_url({arguments})", NO_ARGUMENTS)
            for arguments in ("", "'a', 'b'", "page", "__page__", "'a' + 'b'", r"'a\x62'", "f'{1}'", "open('a')")
        ),
        ("reddit_get_post_url('a').strip()", f"{NO_CALL}|{NO_ARGUMENTS}"),
        ("reddit_get_post_url(" * 200 + ")" * 200, f"{NO_CALL}|{NO_ARGUMENTS}"),
    ],
)
def test_nothing_else_is_a_call(text: str, expected: str) -> None:
    with pytest.raises(UnreadableCall, match=f"^(?:{expected})"):
        read_call(text, "url")


@given(TEXTS, st.sampled_from("'\""))
def test_a_literal_argument_is_read_as_it_stands(text: str, quote: str) -> None:
    assert read_call(f"reddit_get_post_url({quote}{text}{quote})", "url").arguments == (text,)


@given(st.text())
def test_any_text_is_a_call_or_is_refused(text: str) -> None:
    for call in (text, f"reddit_get_post_url({text})"):
        try:
            arguments = read_call(call, "url").arguments
        except UnreadableCall:
            continue
        assert len(arguments) <= 1


@pytest.mark.parametrize(
    ("url", "post"),
    [
        ("http://r:9/f/books/12/a-title?sort=new", "http://r:9/f/books/12/"),
        ("http://r:9/f/books/12/-/comment/3", "http://r:9/f/books/12/"),
        ("http://r:9/f/books/12/", "http://r:9/f/books/12/"),
        ("http://r:9/f/books", "http://r:9/f/books"),
        ("http://r:9/user/ida/posts/12", "http://r:9/user/ida/posts/12"),
        ("about:blank", "about:blank"),
        ("http://r:9/f/books/12'),print('x", "http://r:9/f/books/12'),print('x/"),
    ],
)
def test_a_posts_address_is_that_of_its_forum_and_number(url: str, post: str) -> None:
    assert answer("reddit_get_post_url('__last_url__')", "url", FixedPages(url)) == post


def test_a_shops_facts_are_asked_of_the_shop() -> None:
    assert answer("shopping_get_latest_order_url()", "url", FixedPages(), f"{SHOP}/o/7/") == f"{SHOP}/o/7/"
    assert answer("shopping_get_sku_latest_review_author('MUG-1')", "locator", FixedPages()) == "Ida"
    assert answer("shopping_get_sku_latest_review_rating('MUG-1')", "locator", FixedPages()) == "80"
    assert answer("shopping_get_sku_latest_review_rating('MUG-2')", "locator", FixedPages()) == ""


def test_a_role_is_read_on_the_page_that_the_check_goes_to() -> None:
    script = member_role_script("ida")
    page = FixedPages(values={script: "Developer"})
    call = "gitlab_get_project_memeber_role(__page__, 'ida')"
    assert answer(call, "locator", page, url="http://g/members") == "Developer"
    assert page.asked == [("http://g/members", script, ())]
    assert '"@ida"' in script
    assert '"@\\"+alert(1)+\\""' in member_role_script('"+alert(1)+"')
