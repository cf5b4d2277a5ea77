import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quintet.environments.webarena.observation.page_text import PAGE_CHARACTERS, ShownPage, page_text, read_shown_page
from quintet.environments.webarena.observation.tree import PageTree, read_tree, safe_words
from tests.actors.environments.webarena.observation.pages import Part, page_of
from tests.actors.environments.webarena.observation.recordings import PAGES, recorded

_LINES = st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40), min_size=1, max_size=30)


def _tree(*lines: str) -> PageTree:
    return PageTree("\n".join(lines), {})


def test_the_tabs_stand_above_the_tree() -> None:
    assert page_text(["Shop", "Forum"], 1, _tree("[1] RootWebArea 'Forum'")) == (
        "Tab 0: Shop | Tab 1 (current): Forum\n\n[1] RootWebArea 'Forum'"
    )


def test_a_long_page_is_cut_at_the_end_of_a_line_and_says_so() -> None:
    text = page_text(["A"], 0, _tree(*("x" * 10 for _ in range(20))), 80)
    assert text == "Tab 0 (current): A\n\nxxxxxxxxxx\nxxxxxxxxxx\nxxxxxxxxxx\n(cut: 17 more lines)"


@given(_LINES, st.integers(min_value=60, max_value=400))
@example(["0", "0000", "0000", "0" * 11, "0" * 12, *[""] * 16, "0000"], 76)
def test_no_page_is_longer_than_its_limit_and_the_lines_kept_are_the_first(lines: list[str], limit: int) -> None:
    whole = page_text(["A"], 0, _tree(*lines), 10_000)
    text = page_text(["A"], 0, _tree(*lines), limit)
    assert len(text) <= limit
    if text != whole:
        *kept, last = text.split("\n")
        assert whole.split("\n")[: len(kept)] == kept
        assert last == f"(cut: {len(whole.split(chr(10))) - len(kept)} more lines)"


def test_hostile_titles_neither_escape_their_line_nor_fill_the_page() -> None:
    text = page_text(["\x1b[31m" + "x" * 10_000, "a\nb"], 1, _tree("[1] RootWebArea 'b'"))
    tabs, _, tree = text.partition("\n\n")
    assert tree == "[1] RootWebArea 'b'"
    assert tabs == f"Tab 0: {'x' * 97}... | Tab 1 (current): a b"


@pytest.mark.parametrize("current", [0, 500, 999])
def test_of_very_many_tabs_those_around_the_current_one_are_named(current: int) -> None:
    text = page_text(["T"] * 1000, current, _tree("[1] RootWebArea 'T'"))
    assert f"Tab {current} (current): T" in text
    assert text.count("Tab ") == 20


def test_a_huge_page_is_cut_to_the_published_length() -> None:
    tree = read_tree(page_of(*(Part("link", f"Link {number}") for number in range(5_000))))
    text = page_text(["A"], 0, tree)
    assert PAGE_CHARACTERS - 100 < len(text) <= PAGE_CHARACTERS


@pytest.mark.parametrize(
    ("words", "safe"),
    [
        ("plain words, Grüße, 你好", "plain words, Grüße, 你好"),
        ("two\r\nlines\tand a tab", "two lines and a tab"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://evil.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jgone\x7f\x08", "gone"),
        ("a\u202eb\u2066c", "abc"),
        ("half \ud83d", "half "),
    ],
)
def test_words_lose_what_a_terminal_or_a_prompt_would_obey(words: str, safe: str) -> None:
    assert safe_words(words) == safe


@given(st.text(st.characters(), max_size=200), st.integers(min_value=3, max_value=100))
def test_safe_words_are_one_line_that_encodes_and_keeps_to_its_length(words: str, longest: int) -> None:
    safe = safe_words(words, longest)
    assert len(safe) <= longest
    assert len(safe.splitlines()) <= 1
    assert "\x1b" not in safe
    assert safe.encode().decode() == safe
    assert safe_words(safe, longest) == safe


def test_elements_are_read_with_the_names_that_are_quoted_in_them() -> None:
    text = """Tab 0 (current): [1] link 'no'

[1] RootWebArea "Emma's" focused: True
\t[12] link 'say "hi" \\'now\\''
\t[13] textbox 'Phone '
URL: u"""
    page = read_shown_page(text)
    assert page.url == "u"
    assert [tuple(each) for each in page.elements] == [
        (1, "RootWebArea", "Emma's"),
        (12, "link", "say \"hi\" 'now'"),
        (13, "textbox", "Phone "),
    ]
    assert page.find("textbox", "Phone", 1) == 13
    assert page.find("link", "say \"hi\" 'now'", 1) == 12
    assert page.find("link", "say", 1) is None


def test_blanks_around_a_name_do_not_count_as_some_browsers_keep_those_of_a_label() -> None:
    page = read_shown_page("[11] textbox 'Username ' required: False\nURL: u")
    assert [page.find("textbox", name, 1) for name in ("Username", "Username ", "User name")] == [11, 11, None]


def test_what_shows_no_page_has_none() -> None:
    assert read_shown_page("There is no element [9] on this page.") == ShownPage()


@pytest.mark.parametrize("name", PAGES)
def test_what_is_read_back_are_the_elements_that_the_text_numbers(name: str) -> None:
    tree = read_tree(recorded(name))
    page = read_shown_page(f"{tree.text}\nURL: http://onestopmarket.com/{name}")
    assert len(page.elements) == len(tree.text.splitlines())
    for each in page.elements:
        assert (each.role, each.name) == (tree.elements[each.number].role, tree.elements[each.number].name)
