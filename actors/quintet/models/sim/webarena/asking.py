"""Which form the answer to a question has: a sum, a number, a date, a name."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from quintet.models.sim.webarena.words import web_stems

AnswerType: TypeAlias = Literal["money", "number", "date", "email", "phone", "name", "text"]


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_TYPES: Sequence[tuple[AnswerType, re.Pattern[str]]] = (
    ("email", _any_of(r"e-?mail")),
    ("phone", _any_of(r"phone|telephone")),
    ("number", _any_of(r"how many|how often|the number of|count|rating|score|votes|points|quantity|upvotes")),
    ("money", _any_of(r"price|cost|costs|how much|total|subtotal|amount|spent|paid")),
    ("date", _any_of(r"when|date|day")),
    ("name", _any_of(r"who|whom|whose|author|customer|user|name")),
)
"""Of several the one that is named first counts."""
IMPLIED: Mapping[AnswerType, frozenset[str]] = {
    "money": web_stems("price cost costs amount much spent pay paid dollars"),
    "number": web_stems("number count many quantity total"),
    "date": web_stems("when date day"),
    "email": web_stems("email e-mail mail address"),
    "phone": web_stems("phone telephone number"),
    "name": web_stems("name author user username customer wrote written person"),
    "text": frozenset(),
}
"""Words of a question that the form of its answer stands for."""


def answer_type(question: str) -> AnswerType:
    """The form of what a question asks for; `text` where nothing says more."""
    named = [(found.start(), place) for place, (_, words) in enumerate(_TYPES) if (found := words.search(question))]
    return _TYPES[min(named)[1]][0] if named else "text"
