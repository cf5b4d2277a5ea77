import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.hotpotqa.scoring import exact_match, f1_score, normalize_answer

TEXTS = st.text(st.sampled_from("ab the An YES no,.- é\u2019"), max_size=30)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("The Quiet  Hour", "quiet hour"),
        ("an A.B.C. of the sea", "abc of sea"),
        ("theatre, Ann", "theatre ann"),
        ("1,140", "1140"),
        ("it\u2019s", "it\u2019s"),
        ("The", ""),
    ],
)
def test_an_answer_loses_case_articles_ascii_punctuation_and_blanks(written: str, normal: str) -> None:
    assert normalize_answer(written) == normal


@pytest.mark.parametrize(
    ("answer", "gold", "score"),
    [
        ("the red boat", "red boat", 1.0),
        ("red boat", "a boat", 2 / 3),
        ("boat boat", "boat", 2 / 3),
        ("green", "boat", 0.0),
        ("", "boat", 0.0),
        ("yes", "yes indeed", 0.0),
        ("no man's land", "no", 0.0),
        ("Yes.", "yes", 1.0),
        ("noanswer", "no answer", 0.0),
        ("the", "a", 0.0),
    ],
)
def test_f1_counts_shared_words_but_of_yes_and_no_none(answer: str, gold: str, score: float) -> None:
    assert f1_score(answer, gold) == pytest.approx(score)


@given(TEXTS, TEXTS)
def test_f1_is_symmetric_in_0_to_1_and_1_where_answers_match(answer: str, gold: str) -> None:
    score = f1_score(answer, gold)
    assert 0 <= score <= 1
    assert score == f1_score(gold, answer)
    if exact_match(answer, gold) and normalize_answer(gold):
        assert score == 1
    assert not set(normalize_answer(answer)) & set(string.punctuation)
