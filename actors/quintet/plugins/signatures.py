"""Refuses functions that could not be called as the base class or port that they stand in for is called."""

from functools import cache
from inspect import Parameter, getattr_static, iscoroutinefunction, signature, unwrap
from types import FunctionType

from quintet.errors import UsageError
from quintet.plugins.code_places import defined_at


@cache  # a class is checked once, however many hosts have an actor of it
def check_functions(found: type, port: type, *, either: bool = False) -> None:
    """Check the functions of a class against the public ones of what it derives from, or stands in for.

    Args:
        either: a coroutine may stand for a plain function.

    Raises:
        UsageError: one is no coroutine where a coroutine is awaited, or the reverse, or takes other parameters; with
            its file and line.
    """
    inherited = {name: member for base in reversed(port.__mro__) for name, member in vars(base).items()}
    for name, ours in inherited.items():
        given = getattr_static(found, name, None)
        if name.startswith("_") or not isinstance(ours, FunctionType) or not isinstance(given, FunctionType):
            continue
        theirs, awaited = unwrap(given), iscoroutinefunction(ours)
        is_right = iscoroutinefunction(theirs) == awaited or (either and not awaited)
        if given is ours or (is_right and _takes(given, ours)):
            continue
        expected, got = _head(ours), _head(theirs)
        raise UsageError(f"{defined_at(theirs)}: {found.__name__}.{name}: expected `{expected}`, got `{got}`")


def _takes(theirs: FunctionType, ours: FunctionType) -> bool:
    """Whether a function can be called with all the arguments that another one takes."""
    positional: list[None] = []
    by_name: dict[str, None] = {}
    for parameter in signature(ours).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY:
            by_name[parameter.name] = None
        elif parameter.kind is Parameter.POSITIONAL_OR_KEYWORD:
            positional.append(None)
    try:
        signature(theirs).bind(*positional, **by_name)
    except TypeError:
        return False
    return True


def _head(function: FunctionType) -> str:
    """How its definition begins, without annotations and defaults."""
    bare = [
        parameter.replace(annotation=Parameter.empty, default=Parameter.empty)
        for parameter in signature(function).parameters.values()
    ]
    word = "async def" if iscoroutinefunction(function) else "def"
    return (
        f"{word} {function.__name__}{signature(function).replace(parameters=bare, return_annotation=Parameter.empty)}"
    )
