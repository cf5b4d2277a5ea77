"""Compares texts as the released string evaluator does.

Source: WebArena's released evaluators. Differs: tokens are found by a few rules of our own, which split words around
punctuation as its tokenizer does.
"""

import re

_QUOTES = ("'", '"')
_SEPARATE = re.compile(r"""\.\.\.|--|[;@#$%&?!\[\](){}<>"“”«»`]|[,:](?!\d)|(?<!\w)'|'(?!\w)|\.(?=["')\]}]*(?:\s|\Z))""")
"""Marks that are tokens of their own. Within numbers `,` and `:` belong to them, and a dot anywhere but at an end."""


def clean_answer(text: str) -> str:
    """In lower case, without white space around it and without one pair of equal quotes."""
    text = text.strip()
    for quote in _QUOTES:
        if text.startswith(quote) and text.endswith(quote):
            return text[1:-1].lower()
    return text.lower()


def is_exact(reference: str, text: str) -> bool:
    """Whether both are equal once cleaned."""
    return clean_answer(reference) == clean_answer(text)


def includes(reference: str, text: str, *, as_token: bool = False) -> bool:
    """Whether a text contains the reference, both cleaned.

    Args:
        as_token: a reference of one character must stand as a token of its own, so that `10` does not contain `0`.
    """
    sought, within = clean_answer(reference), clean_answer(text)
    if as_token and len(sought) == 1:
        return sought in answer_tokens(within)
    return sought in within


def answer_tokens(text: str) -> list[str]:
    """Words and marks, in order."""
    return _SEPARATE.sub(lambda found: f" {found[0]} ", text).split()
