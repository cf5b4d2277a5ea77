"""The methods of a run: the one that is configured, its inner method, that one's, and so on."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from quintet.config.sections import RunConfig
from quintet.methods.base.method import Method
from quintet.plugins import catalogue


class ChainedMethod(NamedTuple):
    """A method of a run, not configured yet."""

    name: str
    """In the run, where it is unique: the method's own; a second one is `adapt-2`."""
    method: type[Method[Any]]
    options: Mapping[str, Any]


def method_chain(config: RunConfig) -> tuple[ChainedMethod, ...]:
    """The methods of a run, outermost first. Where none is configured, the inner one is the method's default.

    Raises:
        UsageError: there is no method of a name.
    """
    outermost = catalogue.method(config.method.name)
    chain = [ChainedMethod(outermost.name, outermost, config.method.options)]
    world = config.environment.name
    while (inner := chain[-1].method.default_inner) is not None:
        method = catalogue.method(inner)
        defaults = {**method.worlds.get(world, {}), **chain[-1].method.worlds.get(world, {}).get("inner", {})}
        before = sum(each.method is method for each in chain)
        chain.append(ChainedMethod(f"{method.name}-{before + 1}" if before else method.name, method, defaults))
    return tuple(chain)
