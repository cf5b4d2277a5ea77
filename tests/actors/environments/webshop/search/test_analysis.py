"""Terms as Lucene's English analyzer makes them. Expected ones are Lucene's, or of Porter's own program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webshop.search.analysis import analyze, porter_stem


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The Quick-Brown foxes' dens", ["quick", "brown", "fox", "den"]),
        ("Women's O'Neil T-shirt", ["women", "o'neil", "t", "shirt"]),
        ("women’s", ["women"]),
        ("5.5 inch, 10,000 mAh; 1/2", ["5.5", "inch", "10,000", "mah", "1", "2"]),
        ("size:large color: blue", ["size:larg", "color", "blue"]),
        ("usb_c 3d 4k-uhd a.b 1.a", ["usb_c", "3d", "4k", "uhd", "a.b", "1"]),
        ("__ -- ... !", []),
        ("a of the with no not", []),
        ("café naïve 6½ m²", ["café", "naïv", "6", "m"]),
        ("日本語 テスト ひら", ["日", "本", "語", "テスト", "ひ", "ら"]),
        ("한국어 ภาษาไทย", ["한국어", "ภาษาไทย"]),
        ("wi\u00adfi e\u0301t\u00e9", ["wi\u00adfi", "e\u0301t\u00e9"]),
        ("Nike® Air™, ©2020 5°", ["nike", "®", "air", "™", "©", "2020", "5"]),
        ("☕️cup 👍🏽👍 👨\u200d👩\u200d👧 🇩🇪🇫🇷 1️⃣", ["☕️", "cup", "👍🏽", "👍", "👨\u200d👩\u200d👧", "🇩🇪", "🇫🇷", "1️⃣"]),
        ("テストab 々々 Ⓐx", ["テスト", "ab", "々々", "ⓐx"]),
        (
            "don’t rock'n'roll 3'4 a1.b2 1a.2b x;y 1;2 ٣٤",
            ["don’t", "rock'n'rol", "3'4", "a1", "b2", "1a", "2b", "x", "y", "1;2", "٣٤"],
        ),
    ],
)
def test_words_break_where_unicode_says(text: str, terms: list[str]) -> None:
    assert analyze(text) == terms


_OF_THE_PAPER = """caresses:caress ponies:poni ties:ti agreed:agre plastered:plaster motoring:motor conflated:conflat
hopping:hop falling:fall filing:file happy:happi sky:sky relational:relat vietnamization:vietnam operator:oper
hopefulness:hope electrical:electr adjustment:adjust adoption:adopt controll:control roll:roll"""
_OF_THE_PROGRAM = """xs:xs possibly:possibl assembly:assembl assemblies:assembl reliably:reliabl technology:technolog
technologies:technolog nobly:nobli logy:logi trekking:trek specced:spec"""
"""Where it departs from the paper."""


@pytest.mark.parametrize("pairs", [_OF_THE_PAPER, _OF_THE_PROGRAM], ids=["the paper", "the program, where it departs"])
def test_stems_are_porters(pairs: str) -> None:
    expected = dict(pair.split(":") for pair in pairs.split())
    assert {word: porter_stem(word) for word in expected} == expected


def test_a_token_longer_than_255_is_cut() -> None:
    assert [len(term) for term in analyze("x" * 600)] == [255, 255, 90]


@given(st.text())
def test_any_text_has_terms_of_lower_case_and_no_stop_words(text: str) -> None:
    for term in analyze(text):
        assert term
        assert not any(character.isspace() for character in term)
