"""The methods of a run: the one that is configured, its inner method, that one's, and so on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from quintet.config import plugins
from quintet.config.sections import ModelSection, NestingSection, RunConfig
from quintet.messages.message import Request
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
    requests: tuple[type[Request[Any]], ...]
    """That it asks of roles with models in this run; the outermost's learner and memory too."""
    default: bool
    """It is what the method around it uses if none is named."""

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
        outermost = not chain
        requests = method.asks(
            learning=outermost and config.learning is not None, recalling=outermost and config.memory is not None
        )
        default = not outermost and method.name == chain[-1].method.default_inner
        chain.append(ChainedMethod(name, method, key, section, model, requests, default))
    return tuple(chain)


def configured_methods(chain: Sequence[ChainedMethod]) -> tuple[Method[Any], ...]:
    """The methods, configured, outermost first; each has the next one as its inner method.

    Raises:
        UsageError: an option is wrong.
    """
    inner: Method[Any] | None = None
    made: list[Method[Any]] = []
    for each in reversed(chain):
        inner = each.method(plugins.validate(each.method.options, each.section.options, each.key), inner)
        made.append(inner)
    return tuple(reversed(made))


def first_that_forks(methods: Sequence[Method[Any]]) -> Method[Any] | None:
    """The first that copies sessions, as configured; None: none does.

    Args:
        methods: outermost first.
    """
    outermost, *inner = methods
    if outermost.needs_forks():
        return outermost
    return next((method for method in inner if method.needs_forks_as_inner()), None)


def _sections(config: RunConfig) -> Iterator[tuple[str, NestingSection, ModelSection]]:
    key, inner = "method", config.method.inner
    yield key, config.method, config.model
    while inner is not None:
        key += ".inner"
        yield key, inner, inner.model or config.model
        inner = inner.inner
