"""The methods that a run's configuration has: `[method]`, its inner method, that one's, and so on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from quintet.config import plugins
from quintet.config.sections import ModelSection, NestingSection, RunConfig
from quintet.messages.message import Request
from quintet.methods.base.method import Method, list_requests
from quintet.plugins import catalogue
from quintet.ports.world import World
from quintet.roles.registry import ROLES, roles_of, with_models
from quintet.roles.role import Role


class MethodConfig(NamedTuple):
    """One of a run's methods, as the run's configuration has it; `MethodSpec` is made from it."""

    name: str
    """In the run, where it is unique: the method's own; a second one is `NAME-2`."""
    method: type[Method[Any]]
    key: str
    """Of its section: `method.inner`."""
    section: NestingSection
    model: ModelSection
    """The models of its roles."""
    requests: tuple[type[Request[Any]], ...]
    """That it asks of roles with models, or of roles that it brings, in this run."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """Those that answer it in this run."""
        return roles_of(self.requests, self.method.roles)

    @property
    def model_roles(self) -> tuple[str, ...]:
        """The names of all roles with a model that it may be configured with, asked or not."""
        return with_models((*ROLES, *self.method.roles))

    def model_keys(self, role: str, *names: str) -> list[str]:
        """The settings that may name something of a role's model, the one that counts first."""
        bases = ["model"] if self.key == "method" else [f"{self.key}.model", "model"]
        return [f"{table}.{name}" for name in names for base in bases for table in (f"{base}.{role}", base)]


def method_configs(config: RunConfig) -> tuple[MethodConfig, ...]:
    """The methods of a run, outermost first.

    Raises:
        UsageError: there is no method of a name.
    """
    sections = [*_sections(config)]
    methods = [catalogue.method(section.name) for _, section, _ in sections]
    asked = list_requests(
        methods,
        learning=config.learning is not None,
        recalling=config.memory is not None,
        judged=config.model.names_judge,
    )
    count: Counter[str] = Counter()
    found: list[MethodConfig] = []
    for (key, section, model), method, requests in zip(sections, methods, asked, strict=True):
        count[method.name] += 1
        name = method.name if count[method.name] == 1 else f"{method.name}-{count[method.name]}"
        found.append(MethodConfig(name, method, key, section, model, requests))
    return tuple(found)


def make_methods(configs: Sequence[MethodConfig]) -> tuple[Method[Any], ...]:
    """Make the methods of a run, outermost first; each has the next one as its inner method.

    Raises:
        UsageError: an option is wrong.
    """
    inner: Method[Any] | None = None
    made: list[Method[Any]] = []
    for each in reversed(configs):
        inner = each.method(plugins.validate(each.method.options, each.section.options, each.key), inner)
        made.append(inner)
    return tuple(reversed(made))


def unmet_need(methods: Sequence[Method[Any]], world: World) -> str:
    """What the first of the methods that cannot go on in a world would need of it, in words; empty: nothing is missing.

    Args:
        methods: outermost first.
        world: that they act in.
    """
    for number, method in enumerate(methods):
        forks = method.needs_forks_as_inner() if number else method.needs_forks()
        if forks and world.forks == "none":
            return f"one whose sessions can be copied, for method {method.name}, got {world.name}, which cannot"
        snapshots = method.needs_snapshots_as_inner() if number else method.needs_snapshots()
        if snapshots and not world.takes_snapshots:
            needed = "one whose sessions can be copied, or that goes back to snapshots"
            return f"{needed}, for method {method.name}, got {world.name}, which can neither"
    return ""


def _sections(config: RunConfig) -> Iterator[tuple[str, NestingSection, ModelSection]]:
    """Each with its key and its models, outermost first."""
    key, inner = "method", config.method.inner
    yield key, config.method, config.model
    while inner is not None:
        key += ".inner"
        yield key, inner, inner.model or config.model
        inner = inner.inner
