import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.environments.webarena.observation.page_text import page_text
from quintet.environments.webarena.observation.tree import read_tree
from quintet.models.sim.webarena.page import read_web_page
from tests.actors.environments.webarena.observation.pages import Part, page_of
from tests.actors.environments.webarena.observation.recordings import PAGES, recorded


@pytest.mark.parametrize("name", PAGES)
def test_a_recorded_page_is_read_node_by_node(name: str) -> None:
    captured = recorded(name)
    tree = read_tree(captured)
    page = read_web_page(f"{page_text([captured.title], 0, tree)}\nURL: http://pages.test/{name}")
    assert page is not None
    assert len(page.nodes) == len(tree.text.split("\n"))
    assert all(tree.elements[node.number].role == node.role for node in page.nodes)
    assert page.url == f"http://pages.test/{name}"
    assert page.title == captured.title


@settings(max_examples=10)
@given(st.text(max_size=30))
def test_a_name_is_read_as_the_page_has_it(name: str) -> None:
    tree = read_tree(page_of(Part("link", name)))
    page = read_web_page(page_text(["A"], 0, tree))
    assert page is not None
    named = tree.elements[2].name
    assert page.nodes[-1].name == named or "\\" in repr(named)


def test_a_page_in_one_line_has_the_same_nodes() -> None:
    captured = recorded("products")
    text = page_text([captured.title], 0, read_tree(captured))
    whole, flat = read_web_page(text), read_web_page(" ".join(text.split()))
    assert whole is not None
    assert flat is not None
    assert [(node.number, node.role) for node in whole.nodes] == [(node.number, node.role) for node in flat.nodes]


@pytest.mark.parametrize("text", ["", "The task has ended.", "There is no element [12].", "WebShop\n[Search]"])
def test_what_is_no_page_is_none(text: str) -> None:
    assert read_web_page(text) is None
