"""Makes the environments, models and embedders that a configuration names, and reads the options each of them takes.

What is made or read here by its name raises a `UsageError` if that is unknown, or cannot be loaded or made.
"""

import inspect
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import docstring_parser
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from quintet.config.complaints import complaint
from quintet.config.memory_section import EmbedderSettings
from quintet.config.sections import EnvironmentSection, ModelSettings
from quintet.config.values import AbsolutePath
from quintet.errors import UsageError
from quintet.models.endpoint.key import USUAL_KEY, Key
from quintet.plugins import catalogue
from quintet.plugins.brought import find_brought
from quintet.plugins.entry_points import Kind
from quintet.ports.effects import Effect
from quintet.ports.embedder import Embedder
from quintet.ports.model import Model
from quintet.ports.world import World

OptionsT = TypeVar("OptionsT", bound=BaseModel)


def make_world(section: EnvironmentSection) -> World:
    """Make an environment."""
    return catalogue.world(section.name, **_arguments(world_options(section.name), section.options, "environment"))


def make_model(settings: ModelSettings) -> Model:
    """Make a model: one of the catalogue, or else an endpoint's."""
    name = settings.name
    if settings.url is not None and find_brought("model", name) is not None:
        raise UsageError(f"model.url: expected none beside an object of yours, {name}, got {settings.url!r}")
    given = _arguments(model_options(name, settings.url), settings.options, "model")
    if settings.answers == "tools":
        if is_here(name, settings.url) and "calls_tools" not in _taken_by(name):
            raise UsageError(
                f"model.answers: expected a model that calls tools, or text or schema, got tools for {name}"
            )
        given["calls_tools"] = True
    if is_here(name, settings.url):
        if "context" in _taken_by(name):
            given["context"] = settings.context
        return catalogue.model(name, **given)
    from quintet.models.endpoint.model import Endpoint

    with _naming_ours("model", settings):
        return Endpoint(name, url=settings.url, **given)


def _taken_by(name: str) -> Mapping[str, inspect.Parameter]:
    """What a model of the catalogue is made from."""
    return inspect.signature(catalogue.factory("model", name)).parameters


def make_embedder(settings: EmbedderSettings) -> Embedder:
    """Make an embedder: one of the catalogue, or else an endpoint's."""
    given = _arguments(embedder_options(settings.name, settings.url), settings.options, "memory.embedder")
    if is_here(settings.name, settings.url, "embedder"):
        return catalogue.embedder(settings.name, **given)
    from quintet.models.embedding.by_model import ModelEmbedder
    from quintet.models.embedding.endpoint import EmbeddingModel

    with _naming_ours("embedder", settings):
        return ModelEmbedder(EmbeddingModel(settings.name, url=settings.url, **given))


@contextmanager
def _naming_ours(kind: Kind, settings: ModelSettings | EmbedderSettings) -> Generator[None, None, None]:
    """Name what else an unknown name may have meant, if there is no endpoint for it."""
    try:
        yield
    except UsageError as error:
        if settings.url is not None:
            raise
        names = catalogue.names(kind)
        ours = catalogue.one_of(names, settings.name)
        yours = ", or FILE.py:OBJECT for one of yours" if ":" in settings.name else ""
        key = "memory.embedder" if kind == "embedder" else kind
        if get_close_matches(settings.name, names):
            expected = f"{ours}{yours}, or the name of an endpoint's model ({error})"
            raise UsageError(f"{key}: expected {expected}, got {settings.name!r}") from error
        raise UsageError(
            f"{error}, for the endpoint's {kind} {settings.name!r}; without an endpoint {key} is {ours}{yours}"
        ) from error


def check_key(settings: ModelSettings | EmbedderSettings, kind: Kind = "model") -> None:
    """Refuse a `key` unless it names an environment variable that is set; never quoted: it may be the key itself."""
    variable = settings.options.get("key")
    if isinstance(variable, str) and not is_here(settings.name, settings.url, kind):
        Key(variable, optional=variable == USUAL_KEY)


def is_here(name: str, url: str | None, kind: Kind = "model") -> bool:
    """Whether a model or an embedder is one of ours or of a plug-in, not an endpoint's."""
    return url is None and catalogue.is_known(kind, name)


def learns(method: str, *, stream: bool = False) -> bool:
    """Whether the method of a name learns across episodes, or along a stream; one that cannot be loaded does not."""
    try:
        learner = catalogue.method(method).learner
        return learner is not None and (learner.follows_streams or not stream)
    except UsageError:
        return False


def world_options(name: str) -> type[BaseModel]:
    """The options of an environment, except its name."""
    return _parameters(catalogue.factory("environment", name))


def needs_options(name: str) -> bool:
    """Whether an environment cannot be made by its name alone."""
    return any(field.is_required() for field in world_options(name).model_fields.values())


def world_variables(name: str) -> Mapping[str, str]:
    """The environment variables that an environment's options are read from when they are not set, by option."""
    found: Mapping[str, str] = getattr(catalogue.factory("environment", name), "variables", {})
    return found


def model_options(name: str, url: str | None = None) -> type[BaseModel]:
    """The options of a model, except its name, its address and its sampling."""
    if is_here(name, url):
        return _parameters(catalogue.factory("model", name), "context", "calls_tools")
    from quintet.models.endpoint.model import Endpoint

    return _parameters(Endpoint, "calls_tools")


def embedder_options(name: str, url: str | None = None) -> type[BaseModel]:
    """The options of an embedder, except its name and its address."""
    if is_here(name, url, "embedder"):
        return _parameters(catalogue.factory("embedder", name))
    from quintet.models.embedding.endpoint import EmbeddingModel

    return _parameters(EmbeddingModel)


@cache
def _parameters(factory: Callable[..., Any], *excluded: str) -> type[BaseModel]:
    """The parameters of a factory as options, without its name and address, and those `excluded`.

    The docstring's `Args` describe them.
    """
    made_by: Any = factory.__init__ if inspect.isclass(factory) else factory
    hints, marked = get_type_hints(made_by), get_type_hints(made_by, include_extras=True)
    described = {
        each.arg_name: each.description for each in docstring_parser.parse(inspect.getdoc(factory) or "").params
    }
    fields: dict[str, Any] = {
        name: (
            _with_mark(_narrow(hints.get(name, Any)), marked.get(name)),
            Field(... if parameter.default is parameter.empty else parameter.default, description=described.get(name)),
        )
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and name not in ("name", "url", *excluded)
    }
    strict = ConfigDict(extra="forbid", arbitrary_types_allowed=True, protected_namespaces=())
    return create_model("Options", __config__=strict, **fields)


def option_names(options: type[BaseModel]) -> set[str]:
    """The names of a plug-in's options as settings have them: a field's alias, as for `or`, or else its own name."""
    return {field.alias or name for name, field in options.model_fields.items()}


def _with_mark(hint: Any, marked: Any) -> Any:
    marks = [mark for mark in getattr(marked, "__metadata__", ()) if isinstance(mark, Effect)]
    return Annotated[(hint, *marks)] if marks else hint


def _narrow(hint: Any) -> Any:
    # If an option takes a path or text, text is read as a path.
    members = get_args(hint)
    if hint is not Path and Path not in members:
        return hint
    absolute: Any = AbsolutePath  # type checkers cannot join an annotated type with None
    return absolute | None if NoneType in members else absolute


def validate(options: type[OptionsT], given: Mapping[str, Any], section: str) -> OptionsT:
    """Read a section's options."""
    try:
        return options.model_validate(given)
    except ValidationError as error:
        raise complaint(error, {}, f"{section}.") from error


def _arguments(options: type[BaseModel], given: Mapping[str, Any], section: str) -> dict[str, Any]:
    parsed = validate(options, given, section)
    return {name: getattr(parsed, name) for name in parsed.model_fields_set}
