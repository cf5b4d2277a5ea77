"""When a text is, contains or has another, and an address is one that a task may end on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.evaluators.compare import (
    answer_tokens,
    clean_answer,
    includes,
    is_exact,
    url_matches,
)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Blue Mug\n", "blue mug"),
        ("'Blue'", "blue"),
        ('"Blue"', "blue"),
        ("\"'Blue'\"", "'blue'"),
        ("'Blue\"", "'blue\""),
        ("' Blue '", " blue "),
        ("'", ""),
        ("''", ""),
        ("", ""),
        ("Straße", "straße"),
    ],
)
def test_one_pair_of_quotes_and_the_case_are_cleaned_away(text: str, cleaned: str) -> None:
    assert clean_answer(text) == cleaned


@pytest.mark.parametrize(
    ("reference", "answer", "exact", "contained", "as_token"),
    [
        ("Blue mug", '"blue MUG"', True, True, True),
        ("Blue mug", "a blue mug", False, True, True),
        ("0", "10", False, True, False),
        ("0", "0", True, True, True),
        ("0", "There are 0 of them", False, True, True),
        ("0", "0.", False, True, True),
        ("0", "It is (0), of 10", False, True, True),
        ("0", "0, or 1", False, True, True),
        ("0", "$0", False, True, True),
        ("0", "0%", False, True, True),
        ("0", "0.5", False, True, False),
        ("0", "1,0", False, True, False),
        ("0", "3:0", False, True, False),
        ("0", "0-day", False, True, False),
        ("5", "rated '5'", False, True, True),
        ("5", "5/10", False, True, False),
        ("a", "an apple", False, True, False),
        ("12", "312", False, True, True),
        ("Yes", "yesterday", False, True, True),
        ("", "anything", False, True, True),
        ("x", "", False, False, False),
    ],
)
def test_texts_are_compared_as_published(
    reference: str, answer: str, exact: bool, contained: bool, as_token: bool
) -> None:
    found = is_exact(reference, answer), includes(reference, answer), includes(reference, answer, as_token=True)
    assert found == (exact, contained, as_token)


@given(st.text(), st.text(), st.text(), st.booleans())
def test_a_text_contains_itself_wherever_it_stands(before: str, text: str, after: str, capitals: bool) -> None:
    assert is_exact(text, f" {text}\n")
    plain = text.strip().strip("'\"")
    around = f"<{before}{plain}{after}>"
    assert includes(plain, around)
    if plain.isascii() and capitals:
        assert includes(plain.upper(), around)


@given(st.lists(st.from_regex(r"[a-z0-9]{1,4}", fullmatch=True), min_size=1, max_size=5), st.sampled_from(" \n\t"))
def test_words_are_tokens_also_with_a_mark_behind_them(words: list[str], between: str) -> None:
    assert answer_tokens(between.join(words)) == words
    marked = [f"({words[0]})", *(f"{word}!" for word in words)]
    assert [each for each in answer_tokens(between.join(marked)) if each not in "()!"] == [words[0], *words]
    for digit in "07":
        assert includes(digit, between.join(words), as_token=True) is (digit in words)


@pytest.mark.parametrize(
    ("reference", "url", "matches"),
    [
        ("s/cart", "s/cart", True),
        ("s/cart/", "s/cart", True),
        ("s/cart", "s/cart/", True),
        ("s/cart", "s/cart/checkout?step=2#top", True),
        ("s/cart/checkout", "s/cart", False),
        ("s/cart", "t/cart", False),
        ("s/cart#a", "s/cart#b", True),
        ("s:81/cart", "s/cart", False),
        ("s/f/a |OR| http://s/f/b", "s/f/b/1/title", True),
        ("s/f/a |OR| http://s/f/b", "s/f/c", False),
        ("s/i?state=open", "s/i?state=open&sort=date", True),
        ("s/i?state=open", "s/i", False),
        ("s/i?state=open", "s/i?state=closed", False),
        ("s/i?label=a&label=b", "s/i?label=b", True),
        ("s/i?label=a", "s/i?label=b&label=a", True),
        ("s/i?l%5B%5D=help%20wanted", "s/i?l[]=help+wanted", True),
        ("s/i?a=1 |OR| http://s/j?b=2", "s/j?b=2", False),
        ("s/i?a=1 |OR| http://s/j?a=2", "s/i?a=2", True),
        ("s/i?a=", "s/i", True),
        ("s/i/?a=1", "s/i?a=1", False),
        ("s", "s.evil.org/", True),
        ("s/cart", "[", False),
    ],
)
def test_addresses_are_compared_as_published_whatever_their_schemes(reference: str, url: str, matches: bool) -> None:
    assert url_matches(f"http://{reference}", f"https://{url}") is matches
    assert not url_matches(f"http://{reference}", "about:blank")


@given(st.text(), st.text())
def test_any_text_is_compared(reference: str, url: str) -> None:
    assert url_matches(reference, url) in (True, False)
