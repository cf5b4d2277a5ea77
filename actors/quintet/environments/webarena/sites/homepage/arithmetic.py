"""Sums for the start page's calculator: numbers, + - * / and brackets."""

import re
from decimal import Decimal, InvalidOperation, localcontext
from typing import Final

_TOKEN: Final = re.compile(r"\s*(\d{1,15}(?:\.\d{1,10})?|[-+*/()])")
_CHARACTERS_AT_MOST: Final = 200
_PLACES: Final = Decimal("0.000001")


def calculate(expression: str) -> str:
    """The value of an expression, rounded to six places, or in words why it has none."""
    tokens: list[str] = []
    at = 0
    while at < len(expression.rstrip()):
        found = _TOKEN.match(expression, at)
        if found is None or len(expression) > _CHARACTERS_AT_MOST:
            return "Expected numbers, + - * / and brackets, at most 200 characters."
        tokens.append(found[1])
        at = found.end()
    try:
        with localcontext(prec=60):
            value = _Sum(tokens).whole()
            rounded = value.quantize(_PLACES).normalize()
    except (ZeroDivisionError, InvalidOperation):
        return "A division by zero has no value."
    except ValueError as error:
        return str(error)
    return f"{rounded:f}" if rounded else "0"


class _Sum:
    """Reads tokens from the left by the usual precedence."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens[::-1]

    def whole(self) -> Decimal:
        value = self._terms()
        if self._tokens:
            raise ValueError("A bracket or an operator is missing.")
        return value

    def _terms(self) -> Decimal:
        value = self._factors()
        while self._next() in ("+", "-"):
            value = value + self._factors() if self._tokens.pop() == "+" else value - self._factors()
        return value

    def _factors(self) -> Decimal:
        value = self._atom()
        while self._next() in ("*", "/"):
            value = value * self._atom() if self._tokens.pop() == "*" else value / self._atom()
        return value

    def _atom(self) -> Decimal:
        token = self._tokens.pop() if self._tokens else ""
        if token == "-":
            return -self._atom()
        if token == "(":
            value = self._terms()
            if not self._tokens or self._tokens.pop() != ")":
                raise ValueError("A bracket is not closed.")
            return value
        if not token[:1].isdigit():
            raise ValueError("A number is missing.")
        return Decimal(token)

    def _next(self) -> str:
        return self._tokens[-1] if self._tokens else ""
