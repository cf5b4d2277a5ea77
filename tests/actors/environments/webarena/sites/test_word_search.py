"""A search for words in columns."""

import sqlite3

from quintet.environments.webarena.sites.word_search import all_words


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
