import pytest

from quintet.environments.hotpotqa.corpus.page import CorpusPage, clean_line, title_key, title_words


@pytest.mark.parametrize("written", ["Éva  Kovač", "eva_kovac", " EVA KOVAC "])
def test_a_title_is_found_without_its_case_accents_and_blanks(written: str) -> None:
    assert title_key(written) == "eva kovac"


def test_the_words_of_a_title_come_once_and_without_signs_and_a_line_is_clean() -> None:
    assert title_words('"A.B." and_a b (film, 1999)') == ["a", "b", "and", "film", "1999"]
    assert title_words("漢字 \u202e ()") == ["漢字"]
    assert clean_line(" a\n\tb\ud800 ") == "a b?"


def test_a_keyword_is_found_in_either_case() -> None:
    page = CorpusPage("A", ("The SEA.", "", "A lake.", "Seals."))
    assert page.with_keyword("sea") == ["The SEA.", "Seals."]
    assert page.with_keyword("") == ["The SEA.", "A lake.", "Seals."]
    assert not page.lists_others
    assert CorpusPage("A", ("A may refer to:", "A lake.")).lists_others
    assert not CorpusPage("A", ()).lists_others
