"""How an answer is scored: exact match and F1, both of normalised texts.

Source: Yang et al. (2018), HotpotQA, the official evaluation.
"""

import re
import string
from collections import Counter

_without_punctuation = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_VERDICTS = {"yes", "no", "noanswer"}
"""Answers that share no part of a score with another."""


def normalize_answer(text: str) -> str:
    """In lower case, without ASCII punctuation and articles, with single blanks."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_without_punctuation)).split())


def exact_match(answer: str, gold: str) -> bool:
    """Whether both are equal once normalised."""
    return normalize_answer(answer) == normalize_answer(gold)


def f1_score(answer: str, gold: str) -> float:
    """The harmonic mean of precision and recall of the normalised words; `yes`, `no` and `noanswer` only match whole.

    Returns:
        In [0, 1]; 0 where either has no words.
    """
    given, expected = normalize_answer(answer), normalize_answer(gold)
    if given != expected and _VERDICTS & {given, expected}:
        return 0.0
    words, wanted = given.split(), expected.split()
    shared = (Counter(words) & Counter(wanted)).total()
    return 2 * shared / (len(words) + len(wanted)) if shared else 0.0
