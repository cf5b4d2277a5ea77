"""The methods of a run, from the outermost inwards: as settings name them, and as its configuration has them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.method_names import MOST_METHODS, nested_name
from quintet.config.sections import ModelSection, NestingSection, RunConfig
from quintet.config.settings import Settings, first_below, flatten, plug_in_name
from quintet.errors import UsageError
from quintet.messages.message import Request
from quintet.methods.base.method import Method, list_requests
from quintet.plugins import catalogue
from quintet.ports.world import World
from quintet.roles.registry import ROLES, roles_of, with_models
from quintet.roles.role import Role


def find_methods(settings: Settings) -> dict[str, type[Method[Any]]]:
    """The methods that settings name, or that are the default within the one around them; outermost first.

    By the key of the method's section: `method`, `method.inner`, `method.inner.inner`, ...

    Raises:
        UsageError: a method is unknown, takes no inner one, needs one that is not named, or cannot be an inner one.
    """
    with with_origin(settings, ["method.name"]):
        found = {"method": catalogue.method(plug_in_name("method", settings))}
    section = "method.inner"
    while (inner := _inner(section, [*found.values()], settings)) is not None:
        found[section] = inner
        section = f"{section}.inner"
    return found


def whole_name(methods: Sequence[type[Method[Any]]]) -> str:
    """The name of methods, outermost first, as a command takes it: `OUTER(INNER)`, without a default inner one."""
    named = [method.name for method in methods]
    while len(named) > 1 and _is_default(*methods[len(named) - 2 : len(named)]):
        named.pop()
    return nested_name(named)


def method_defaults(methods: Sequence[type[Method[Any]]], environment: str) -> Mapping[str, Any]:
    """The defaults of methods, outermost first, in an environment, by dotted key below the outermost's section.

    A method's own values for its default inner method override those of the inner method itself.
    """
    outer, *inners = methods
    defaults = len(list(takewhile(lambda pair: _is_default(*pair), pairwise(methods))))
    own = dict(flatten(outer.worlds.get(environment, {})))
    below = {"name": inners[0].name, **method_defaults(inners, environment)} if inners else {}
    return {
        **{f"inner.{key}": value for key, value in below.items()},
        **{key: value for key, value in own.items() if _depth(key) <= defaults},
    }


def _depth(key: str) -> int:
    return len(list(takewhile(lambda part: part == "inner", key.split(".")[:-1])))


def _is_default(outer: type[Method[Any]], inner: type[Method[Any]]) -> bool:
    return inner.name == outer.default_inner


def _inner(section: str, outer: Sequence[type[Method[Any]]], settings: Settings) -> type[Method[Any]] | None:
    """The method of the section, within those that were found; None if there is none."""
    around = outer[-1]
    given = first_below(section, settings)
    if not around.nests:
        if given is not None:
            expected = f"no inner method, which {around.name} does not take"
            raise UsageError(f"{section}: expected {expected}, got one ({given[1].where})")
        return None
    if f"{section}.name" in settings:
        name = plug_in_name(section, settings)
    elif around.default_inner is not None:
        name = around.default_inner
    elif given is None:
        return None
    else:
        expected = f"the name of {around.name}'s inner method"
        raise UsageError(f"{section}.name: expected {expected}, got none ({given[1].where})")
    with with_origin(settings, [f"{section}.name", f"{section.removesuffix('.inner')}.name"]):
        if len(outer) == MOST_METHODS:
            got = nested_name([each.name for each in outer[:3]]).rstrip(")")
            raise UsageError(f"{section}: expected at most {MOST_METHODS} methods within each other, got {got}(...")
        return _find_inner(section, name)


def _find_inner(section: str, name: str) -> type[Method[Any]]:
    if not catalogue.is_known("method", name):
        able = [each for each in catalogue.names("method") if not plugins.learns(each)]
        raise UsageError(f"{section}: expected {catalogue.one_of(able, name)}, got {name!r}")
    method = catalogue.method(name)
    if method.learner is not None:
        raise UsageError(f"{section}: expected a method that does not learn across episodes, got {name!r}, which does")
    return method


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
    """The methods of a run, outermost first."""
    sections = [*_sections(config)]
    methods = [catalogue.method(section.name) for _, section, _ in sections]
    asked = list_requests(
        methods,
        learning=None if config.learning is None else config.learning.feedback,
        recalling=() if config.memory is None else config.memory.kinds,
        for_world=config.model.for_world,
    )
    count: Counter[str] = Counter()
    found: list[MethodConfig] = []
    for (key, section, model), method, requests in zip(sections, methods, asked, strict=True):
        count[method.name] += 1
        name = method.name if count[method.name] == 1 else f"{method.name}-{count[method.name]}"
        found.append(MethodConfig(name, method, key, section, model, requests))
    return tuple(found)


def make_methods(configs: Sequence[MethodConfig]) -> tuple[Method[Any], ...]:
    """Make the methods of a run, outermost first; each has the next one as its inner method."""
    inner: Method[Any] | None = None
    made: list[Method[Any]] = []
    for each in reversed(configs):
        inner = each.method(plugins.validate(each.method.options, each.section.options, each.key), inner)
        made.append(inner)
    return tuple(reversed(made))


def unmet_need(methods: Sequence[Method[Any]], world: World) -> str:
    """What the first of the methods that cannot go on in a world would need of it; empty: nothing is missing."""
    for number, method in enumerate(methods):
        if method.needs_forks() and world.forks == "none":
            needed = f"one whose sessions can be copied, for method {method.name}, got {world.name}, which cannot"
            return needed + _option_without_forks(method, ".".join(["method", *["inner"] * number]))
        snapshots = method.needs_snapshots_as_inner() if number else method.needs_snapshots()
        if snapshots and not world.takes_snapshots:
            needed = "one whose sessions can be copied, or that goes back to snapshots"
            return f"{needed}, for method {method.name}, got {world.name}, which can neither"
    return ""


def _option_without_forks(method: Method[Any], key: str) -> str:
    """An option, true as configured, without which the method copies no session, as the end of a message."""
    for name, value in method.config:
        if value is True:
            without = type(method)(method.config.model_copy(update={name: False}), method.inner)
            if not without.needs_forks():
                return f"; --set {key}.{name}=false copies none"
    return ""


def _sections(config: RunConfig) -> Iterator[tuple[str, NestingSection, ModelSection]]:
    """Each with its key and its models, outermost first."""
    key, inner = "method", config.method.inner
    yield key, config.method, config.model
    while inner is not None:
        key += ".inner"
        yield key, inner, inner.model or config.model
        inner = inner.inner
