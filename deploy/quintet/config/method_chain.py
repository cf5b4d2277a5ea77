"""The methods of a run: the one that is configured, its inner method, that one's, and so on."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from quintet.config.sections import ModelSection, NestingSection, RunConfig
from quintet.methods.base.method import Method
from quintet.plugins import catalogue


class ChainedMethod(NamedTuple):
    """A method of a run, not configured yet."""

    name: str
    """In the run, where it is unique: the method's own; a second one is `NAME-2`."""
    method: type[Method[Any]]
    key: str
    """Of its section: `method.inner`."""
    section: NestingSection
    model: ModelSection
    """The models of its roles."""

    def model_keys(self, role: str, *names: str) -> list[str]:
        """The settings that may name something of a role's model, the one that counts first."""
        bases = ["model"] if self.key == "method" else [f"{self.key}.model", "model"]
        return [f"{table}.{name}" for name in names for base in bases for table in (f"{base}.{role}", base)]


def method_chain(config: RunConfig) -> tuple[ChainedMethod, ...]:
    """The methods of a run, outermost first.

    Raises:
        UsageError: there is no method of a name.
    """
    chain: list[ChainedMethod] = []
    count: Counter[str] = Counter()
    for key, section, model in _sections(config):
        method = catalogue.method(section.name)
        count[method.name] += 1
        name = method.name if count[method.name] == 1 else f"{method.name}-{count[method.name]}"
        chain.append(ChainedMethod(name, method, key, section, model))
    return tuple(chain)


def _sections(config: RunConfig) -> Iterator[tuple[str, NestingSection, ModelSection]]:
    key, inner = "method", config.method.inner
    yield key, config.method, config.model
    while inner is not None:
        key += ".inner"
        yield key, inner, inner.model or config.model
        inner = inner.inner
