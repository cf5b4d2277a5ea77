"""Steps that are numbered in words, letters or Roman numerals, written in figures."""

import re

from quintet.parsing.answers import MARK

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_LETTERS = ("A", "B", "C", "D", "E", "F", "G", "H")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_FIGURES = {
    word.upper(): str(at) for words in (_WORDS, _ORDINALS, _LETTERS, _ROMAN) for at, word in enumerate(words, 1)
}

_SYMBOL = rf"(?:{'|'.join(_LETTERS)}|{'|'.join(reversed(_ROMAN))})\b"
_LABELLED = re.compile(rf"\b(?i:step)[ \t_#-]?(?:(?i:(?P<word>{'|'.join(_WORDS)})\b)|(?P<symbol>{_SYMBOL}))(?!['’])")
_ORDINAL = re.compile(
    rf"^(?P<mark>{MARK})(?P<word>{'|'.join(_ORDINALS)})(?:[ \t]step|ly)?(?P<sign>[*_]*+[,:.])",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(rf"^(?P<mark>[ \t>*_]*+)\(?(?:(?P<symbol>{_SYMBOL})[.):]|(?P<small>[a-h])\))", re.MULTILINE)
_ORDER = re.compile(rf"^{MARK}[\w \t]{{0,30}}?order\b.*", re.IGNORECASE | re.MULTILINE)
_IN_ORDER = re.compile(rf"\b(?:{_SYMBOL}|[a-h]\b)")


def labelled_in_figures(text: str) -> str:
    """A text with `Step One`, `Step A` and `Step I` as `Step 1`."""
    return _LABELLED.sub(lambda found: f"Step {_figure(found['word'] or found['symbol'])}", text)


def listed_in_figures(text: str) -> str:
    """A text with lines that begin with `First,`, `A.` or `I.` as steps, the letters of its order in figures."""
    text = _ORDINAL.sub(lambda found: f"{found['mark']}Step {_figure(found['word'])}{found['sign'][:-1]}:", text)
    listed = _LISTED.sub(lambda found: f"{found['mark']}Step {_figure(found['symbol'] or found['small'])}:", text)
    if listed == text:
        return text
    return _ORDER.sub(lambda order: _IN_ORDER.sub(lambda found: _figure(found[0]), order[0]), listed)


def _figure(word: str) -> str:
    return _FIGURES[word.upper()]
