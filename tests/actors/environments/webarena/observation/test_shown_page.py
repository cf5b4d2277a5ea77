"""A page is read back from the text that shows it."""

import pytest

from quintet.environments.webarena.observation.page_text import ShownPage, read_shown_page
from quintet.environments.webarena.observation.tree import read_tree
from tests.actors.environments.webarena.observation.recordings import PAGES, recorded


def test_elements_are_read_with_the_names_that_are_quoted_in_them() -> None:
    text = """Tab 0 (current): [1] link 'no'

[1] RootWebArea "Emma's" focused: True
\t[12] link 'say "hi" \\'now\\''
URL: u"""
    page = read_shown_page(text)
    assert page.url == "u"
    assert [tuple(each) for each in page.elements] == [(1, "RootWebArea", "Emma's"), (12, "link", "say \"hi\" 'now'")]
    assert page.find("link", "say \"hi\" 'now'", 1) == 12
    assert page.find("link", "say", 1) is None


def test_what_shows_no_page_has_none() -> None:
    assert read_shown_page("There is no element [9] on this page.") == ShownPage()


@pytest.mark.parametrize("name", PAGES)
def test_what_is_read_back_are_the_elements_that_the_text_numbers(name: str) -> None:
    tree = read_tree(recorded(name))
    page = read_shown_page(f"{tree.text}\nURL: http://onestopmarket.com/{name}")
    assert len(page.elements) == len(tree.text.splitlines())
    for each in page.elements:
        assert (each.role, each.name) == (tree.elements[each.number].role, tree.elements[each.number].name)
