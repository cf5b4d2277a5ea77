"""What visitors type: numbers, paths, and words to search for."""

import sqlite3

import pytest

from quintet.environments.webarena.sites.visitor_input import all_words, is_own_path, whole_number


def found(query: str) -> list[str]:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE books (title TEXT, text TEXT)")
    rows = [("A sea story", "waves"), ("A garden", "100% slugs"), ("Sea and garden", "it's_both")]
    db.executemany("INSERT INTO books VALUES (?, ?)", rows)
    condition, values = all_words(("title", "text"), query)
    titles = [str(row[0]) for row in db.execute(f"SELECT title FROM books WHERE {condition}", values)]
    db.close()
    return titles


def test_each_word_stands_in_some_column_in_any_case() -> None:
    assert found("SEA") == ["A sea story", "Sea and garden"]
    assert found("sea waves") == ["A sea story"]


def test_signs_of_sql_are_only_characters() -> None:
    assert found("100%") == ["A garden"]
    assert found("it's_both") == ["Sea and garden"]
    assert found("%") == ["A garden"]
    assert found("'; DROP TABLE books") == []


def test_no_word_finds_nothing() -> None:
    assert found("   ") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("123456789", 123456789), ("1234567890", None), ("-1", None), ("\u0663", None), ("", None)],
)
def test_a_number_is_whole_and_has_few_digits(text: str, number: int | None) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "cart", "//elsewhere.test", "/\\elsewhere.test", "http://elsewhere.test/", "/a\nb"]
)
def test_a_path_leads_to_no_other_site(text: str) -> None:
    assert not is_own_path(text)
    assert is_own_path("/f/baking?page=2")
