"""Taggers of titles: which words are nouns. Half of a purchase's type depends on it, so a world names its tagger."""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from quintet.environments.options import check_choice
from quintet.environments.webshop.reward.score import Nouns
from quintet.errors import UsageError

TaggerName: TypeAlias = Literal["words", "spacy"]
"""`words`: by a list of words that are no nouns. `spacy`: by the released code's model, which the user installs."""

MODEL = "en_core_web_sm"
_WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w.'’]*\w)?")
_ADJECTIVE = re.compile(r".{2,}(?:able|ible|ful|less|ous|proof|[^e]ed|est|ically)")
_KEPT = 100_000
"""Size of the cache of titles."""


def find_tagger(name: TaggerName) -> Nouns:
    """The tagger of a name."""
    check_choice("tagger", name, get_args(TaggerName), "webshop")
    return nouns_by_words if name == "words" else _spacy_tagger()


@lru_cache(_KEPT)
def nouns_by_words(title: str) -> tuple[str, ...]:
    """The words of a title, but for numbers, listed words of other classes, and words with an adjective's ending.

    Titles are mostly nouns and names. Source: ours. It gives the shares of the released tests' four pairs of titles.
    """
    words = (found.group().lower() for found in _WORD.finditer(title))
    return tuple(word for word in words if word not in _no_nouns() and _ADJECTIVE.fullmatch(word) is None)


@cache
def _no_nouns() -> frozenset[str]:
    lines = files("quintet.environments.webshop.reward").joinpath("no_nouns.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _spacy_tagger() -> Nouns:
    how = (
        f"pip install 'quintet-agents[spacy]', then python -m spacy download {MODEL}, or take tagger 'words' (webshop)"
    )
    try:
        import spacy
    except ImportError as error:
        raise UsageError(f"tagger: expected spaCy for 'spacy', got none installed; {how}") from error
    try:
        model = spacy.load(MODEL)
    except OSError as error:
        raise UsageError(f"tagger: expected spaCy's model {MODEL}, got none installed; {how}") from error

    @lru_cache(_KEPT)
    def nouns_by_spacy(title: str) -> tuple[str, ...]:
        return tuple(token.text.lower() for token in model(title) if token.pos_ in {"NOUN", "PROPN"})

    return nouns_by_spacy
