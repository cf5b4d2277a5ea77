"""The values of programs, and what expressions come to: texts, numbers, truths, None, and lists of these.

Every value is bounded, and so is the work of a program. A list has no lists in it, so no value grows faster than it
looks.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from quintet.parsing.programs import LARGEST_NUMBER

Item: TypeAlias = str | int | None
ProgramValue: TypeAlias = Item | list[Item]

LONGEST_VALUE: Final = 20_000
"""Characters of a value; more of an observation is cut off."""
LONGEST_LIST: Final = LONGEST_VALUE // 2
"""As many as the longest text has words, so that `.split()` never makes too long a list."""

_CHARACTERS: Final = 100
"""That are looked at for one unit of work."""
_NUMBERS: Final = 10
"""That are counted out for one unit of work."""
_PRODUCT: Final = 10_000
"""Of the characters of a text and of what is looked for in it, for one unit of work."""

_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


class Evaluator:
    """Says what expressions of a checked program come to. Whatever is wrong is a TypeError, ValueError or IndexError.

    Args:
        names: those that have values.
        work: that may be done.
    """

    def __init__(self, names: Mapping[str, ProgramValue], *, work: int) -> None:
        self.names = dict(names)
        self.accepted = True
        """Whether the world carried the last action out."""
        self._work = work

    def value(self, node: ast.expr) -> ProgramValue:
        """What an expression comes to."""
        self.spend(1)
        match node:
            case ast.Constant(value=str() | int() | None as value):
                return _bounded(value)
            case ast.Name(id=name):
                if name not in self.names:
                    raise ValueError(f"the name {name} has no value yet")
                return self.names[name]
            case ast.Attribute():
                return self.accepted
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return _bounded([_item(self.value(each)) for each in parts])
            case ast.JoinedStr(values=parts):
                return self._joined("", [self._text(self.value(_unwrapped(each))) for each in parts])
            case ast.Subscript(value=value, slice=place):
                return self._part(self.value(value), place)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, [self.value(each) for each in args])
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=args):
                return self._method(name, self.value(of), [self.value(each) for each in args])
            case _:
                return self._operation(node)

    def items(self, node: ast.expr) -> list[Item]:
        """What a loop goes through: a copy, so that it stays as it is, whatever the loop does to it."""
        found = self.value(node)
        if not isinstance(found, str | list):
            raise TypeError(f"expected a list after `in`, got {shown(found)}")
        self._look_at(found)
        return [*found]

    def text(self, node: ast.expr) -> str:
        """What an expression comes to, as a text."""
        return self._text(self.value(node))

    def spend(self, work: int) -> None:
        """Raise a ValueError if there is no more work that may be done."""
        self._work -= work
        if self._work < 0:
            raise ValueError("the program works too long; is there a loop without an end?")

    def _operation(self, node: ast.expr) -> ProgramValue:
        match node:
            case ast.BoolOp(op=op, values=[first, *others]):
                value = self.value(first)
                for other in others:
                    if bool(value) is isinstance(op, ast.Or):
                        break
                    value = self.value(other)
                return value
            case ast.UnaryOp(op=ast.Not(), operand=of):
                return not self.value(of)
            case ast.UnaryOp(operand=of):
                found: Any = self.value(of)
                return _bounded(-found)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(body if self.value(test) else orelse)
            case ast.BinOp(left=left, op=op, right=right):
                return self._combined(self.value(left), op, self.value(right))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compared(left, ops, others)
            case _:
                raise TypeError(f"expected an expression of the language, got {type(node).__name__}")

    def _combined(self, one: ProgramValue, op: ast.operator, other: ProgramValue) -> ProgramValue:
        """Two values that are added, or one that is taken from the other."""
        self._look_at(one, other)
        either: tuple[Any, Any] = (one, other)
        return _bounded(operator.add(*either) if isinstance(op, ast.Add) else operator.sub(*either))

    def _compared(self, left: ast.expr, ops: Sequence[ast.cmpop], others: Sequence[ast.expr]) -> bool:
        one = self.value(left)
        for op, each in zip(ops, others, strict=True):
            other = self.value(each)
            self._look_at(one, other)
            if isinstance(op, ast.In | ast.NotIn):
                self._look_for(one, other)
            if not _COMPARISONS[type(op)](one, other):
                return False
            one = other
        return True

    def _part(self, value: ProgramValue, place: ast.expr) -> ProgramValue:
        if not isinstance(value, str | list):
            raise TypeError(f"expected a text or a list before [...], got {shown(value)}")
        if isinstance(place, ast.Slice):
            first, last = (None if each is None else self.value(each) for each in (place.lower, place.upper))
            self._look_at(value)
            at: Any = slice(first, last)
        else:
            at = self.value(place)
        return cast("ProgramValue", value[at])

    def _call(self, name: str, args: list[ProgramValue]) -> ProgramValue:
        self._look_at(*args)
        match name, args:
            case "len", [str() | list() as value]:
                return len(value)
            case "str", [value]:
                return self._text(value)
            case "int", [str() | int() as value]:
                return _bounded(int(value))
            case "range", [int()] | [int(), int()]:
                numbers: Any = args
                if len(found := range(*numbers)) > LONGEST_LIST:
                    raise ValueError(f"expected a list of at most {LONGEST_LIST:,}, got {len(found):,}")
                self.spend(len(found) // _NUMBERS)
                return _bounded([*found])
            case "print", _:
                return None
            case _:
                raise TypeError(f"expected other arguments of {name}, got {', '.join(map(shown, args)) or 'none'}")

    def _method(self, name: str, of: ProgramValue, args: list[ProgramValue]) -> ProgramValue:
        self._look_at(of, *args)
        match name, of, args:
            case "append", list(), [item]:
                of[:] = _listed([*of, _item(item)])
                return None
            case "join", str(), [list(texts)]:
                return self._joined(of, [self._must_be_text(each) for each in texts])
            case "count", list(), [item]:
                return of.count(_item(item))
            case "append" | "join", _, _:
                pass
            case _, str(), _ if all(isinstance(each, str | int) for each in args):
                for each in args:
                    self._look_for(each, of)
                if name == "replace":
                    _check_replaced(of, args)
                found: Any = getattr(of, name)(*args)
                return _bounded(found)
            case _:
                pass
        given = ", ".join(map(shown, args)) or "nothing"
        raise TypeError(f"expected another use of .{name}, got it on {shown(of)} with {given}")

    def _joined(self, between: str, texts: list[str]) -> str:
        length = sum(map(len, texts)) + len(between) * len(texts)
        _check_length(length)
        self.spend(length // _CHARACTERS)
        return between.join(texts)

    def _text(self, value: ProgramValue) -> str:
        if not isinstance(value, list):
            return str(value)
        self._look_at(value)
        return f"[{self._joined(', ', [repr(each) for each in value])}]"

    def _must_be_text(self, value: Item) -> str:
        if not isinstance(value, str):
            raise TypeError(f"expected texts to join, got {shown(value)}")
        return value

    def _look_at(self, *values: ProgramValue) -> None:
        self.spend(sum(map(_size, values)) // _CHARACTERS)

    def _look_for(self, one: ProgramValue, other: ProgramValue) -> None:
        self.spend(_size(one) * _size(other) // _PRODUCT)


def _unwrapped(part: ast.expr) -> ast.expr:
    return part.value if isinstance(part, ast.FormattedValue) else part


def _item(value: ProgramValue) -> Item:
    if isinstance(value, list):
        raise TypeError("expected a text, a number, a truth or None in a list, got a list")
    return value


def _bounded(value: ProgramValue) -> ProgramValue:
    match value:
        case str():
            _check_length(len(value))
        case list():
            _listed(value)
        case int() if abs(value) > LARGEST_NUMBER:
            raise ValueError(f"expected a number of at most {LARGEST_NUMBER:,}, got a larger one")
        case _:
            pass
    return value


def _listed(value: list[Item]) -> list[Item]:
    if len(value) > LONGEST_LIST:
        raise ValueError(f"expected a list of at most {LONGEST_LIST:,}, got {len(value):,}")
    return value


def _check_length(length: int) -> None:
    if length > LONGEST_VALUE:
        raise ValueError(f"expected a text of at most {LONGEST_VALUE:,} characters, got {length:,}")


def _check_replaced(text: str, args: list[ProgramValue]) -> None:
    match args:
        case [str(old), str(new), *_]:
            _check_length(len(text) + text.count(old) * len(new))
        case _:
            raise TypeError("expected two texts in .replace")


def _size(value: ProgramValue) -> int:
    match value:
        case str():
            return len(value)
        case list():
            return len(value) + sum(len(each) for each in value if isinstance(each, str))
        case _:
            return 1


def shown(value: ProgramValue) -> str:
    """What sort of value it is, since it may be long."""
    match value:
        case None:
            return "None"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "a number"
