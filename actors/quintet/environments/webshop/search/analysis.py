"""Terms of a text as Lucene's English analyzer makes them: words without possessives and stop words, stemmed."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

_STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was
will with
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_LONGEST_TOKEN = 255
_STEMS_KEPT = 200_000
"""Size of the cache of stems."""

_RARE_DOUBLE = re.compile(r"(?P<single>.*(?:[aeiou]|[^aeiouy]y).*([chjkqvwx]))\2(?:ed|ing)s?")
_DEPARTURE = re.compile(r"(?P<start>.+)(?:(?P<bl>bl)|log)(?:ys?|i|is|ies)")
_MEASURED = re.compile(r"(?:[aeiou]|(?<=[^aeiouy])y)[^aeiou]")
"""A vowel before a consonant: Porter's measure is above 0."""

_BASIC_PLANE = 0x10000
# Ranges of code points, written as in a character class.
_KATAKANA = "\u3031-\u3035\u309b\u309c\u30a0-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
_ALONE = (
    "\u3041-\u3096\u309d-\u309f\u2e80-\u2fd5\u3007\u3021-\u3029\u3038-\u303a\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Hiragana and ideographs: each is a word."""
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf\u23e9-\u23f3\u23f8-\u23fa"
    "\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716"
    "\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1\u27b0"
    "\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f0ff\U0001f18e"
    "\U0001f191-\U0001f19a\U0001f201\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f249-\U0001f53d\U0001f546-\U0001f64f"
    "\U0001f680-\U0001f6ff\U0001f7d5-\U0001f7ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001faff"
)
"""Signs of trade included: each is a word, with what modifies it and what is joined to it."""
_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
_MODIFIERS = "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
_CIRCLED = "\u24b6-\u24e9"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese and Khmer: a run is one word."""
_JOINS_ANY = "_\u202f\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f"
_JOINS_BOTH = ".'\u2018\u2019\u2024\ufe52\uff07\uff0e"
_JOINS_LETTERS = ":\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a" + _JOINS_BOTH
_JOINS_DIGITS = ",;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b" + _JOINS_BOTH


def analyze(text: str) -> list[str]:
    """The terms of a text, in order, each as often as it occurs.

    Source: Lucene 8's EnglishAnalyzer as Anserini sets it up for WebShop: StandardTokenizer (the word breaks of Unicode
    Standard Annex 29), EnglishPossessiveFilter, LowerCaseFilter, StopFilter with 33 words, PorterStemFilter.
    """
    words = (_without_possessive(token).lower() for token in _tokens(text))
    return [porter_stem(word) for word in words if word not in STOP_WORDS]


def _tokens(text: str) -> list[str]:
    tokens = (_ascii_word() if text.isascii() else _word()).findall(text)
    if all(len(token) <= _LONGEST_TOKEN for token in tokens):
        return tokens
    starts = ((token, start) for token in tokens for start in range(0, len(token), _LONGEST_TOKEN))
    return [token[start : start + _LONGEST_TOKEN] for token, start in starts]


def _without_possessive(token: str) -> str:
    return token[:-2] if len(token) > 1 and token[-1] in "sS" and token[-2] in "'\u2019\uff07" else token


@cache
def _ascii_word() -> re.Pattern[str]:
    return re.compile(_joined("[A-Za-z]++", "[0-9]++", "_", "[.':]", "[.',;]"))


@cache
def _word() -> re.Pattern[str]:
    in_plane = [chr(code) for code in range(0x80, _BASIC_PLANE)]
    extends = "".join(c for c in in_plane if unicodedata.category(c) in {"Mn", "Me", "Mc", "Cf"} and c != "\u200b")
    fractions = "".join(c for c in in_plane if unicodedata.category(c) == "No")
    letter = rf"(?:(?:(?![{_KATAKANA}{_ALONE}{_UNSPACED}{fractions}])[^\W\d_]|[{_CIRCLED}])[{extends}]*+)++"
    digit = rf"(?:\d[{extends}]*+)++"
    mid_letter, mid_digit = (rf"[{joins}][{extends}]*+" for joins in (_JOINS_LETTERS, _JOINS_DIGITS))
    words = _joined(letter, digit, f"[{_JOINS_ANY}]", mid_letter, mid_digit, rf"(?:[{_KATAKANA}][{extends}]*+)++")
    emoji = f"[{_EMOJI}][{extends}{_MODIFIERS}]*+"
    signs = rf"{emoji}(?:(?<=\u200d){emoji})*+|(?:[{_FLAG_LETTERS}][{extends}]*+){{2}}"
    return re.compile(f"{words}|[{_UNSPACED}]++|[{_ALONE}][{extends}]*+|{signs}")


def _joined(letters: str, digits: str, any_join: str, letter_join: str, digit_join: str, alone: str = "(?!)") -> str:
    """The pattern of a word: letters and digits, each joined to its like by some characters, and all by others.

    Args:
        alone: letters that are not joined to others directly.
    """
    runs = (f"{letters}(?:{letter_join}{letters})*+", f"{digits}(?:{digit_join}{digits})*+")
    run = f"(?:{alone}|(?:{'|'.join(runs)})++)"
    return f"{any_join}*+{run}(?:{any_join}++{run})*+{any_join}*+"


@lru_cache(_STEMS_KEPT)
def porter_stem(word: str) -> str:
    """The stem of a lower-case word.

    Source: Porter (1980) as in his own later program, which Lucene's filter is. It departs from the paper, by which
    Snowball's `porter` goes: words of two letters stay, `bli` becomes `ble`, `logi` becomes `log`; and before `ed` or
    `ing` every doubled consonant but l, s and z becomes single, rare ones such as `kk` included.
    """
    if len(word) <= 2:
        return word
    if (doubled := _RARE_DOUBLE.fullmatch(word)) is not None:
        return _porter()(doubled["single"])
    ending = _DEPARTURE.fullmatch(word)
    if ending is None or not _MEASURED.search(ending["start"]):
        return _porter()(word)
    return _porter()(f"{ending['start']}ble") if ending["bl"] else f"{ending['start']}log"


@cache
def _porter() -> Callable[[str], str]:
    from Stemmer import Stemmer  # takes a moment to import

    return Stemmer("porter", 0).stemWord
