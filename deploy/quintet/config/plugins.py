"""The plug-ins that a configuration names, and the options each of them takes."""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from quintet.config.complaints import complaint
from quintet.config.sections import MODEL_ROLES, AbsolutePath, ModelSettings, RunConfig
from quintet.errors import UsageError
from quintet.messages.message import Request, request_name
from quintet.methods.base.method import LearnerSpec, Method
from quintet.methods.base.prompts import Prompts
from quintet.models.endpoint.key import USUAL_KEY, Key
from quintet.plugins import catalogue
from quintet.ports.model import Model
from quintet.ports.world import World
from quintet.quota.prices import Price, list_price, price_of, read_prices
from quintet.roles.registry import role_of, roles_of, with_models


def method(config: RunConfig) -> type[Method[Any]]:
    """The method that the run evaluates."""
    return catalogue.method(config.method.name)


def method_config(config: RunConfig) -> BaseModel:
    """The method's own configuration, validated."""
    return _validated(method(config).options, config.method.options, "method")


def learning(config: RunConfig) -> type[LearnerSpec[Any]]:
    """How the method learns, of a run that does.

    Raises:
        UsageError: the method does not learn, or not any more.
    """
    found = method(config).learner
    if found is None:
        name = config.method.name
        raise UsageError(f"method {name}: expected one that learns across episodes, got one that does not")
    return found


def learning_config(config: RunConfig) -> BaseModel:
    """The options of how the method learns, validated, of a run that does."""
    given = config.learning and config.learning.options
    return _validated(learning(config).options, given or {}, "learning")


def learner(config: RunConfig) -> LearnerSpec[Any]:
    """The learner, configured, of a run that learns."""
    return learning(config)(learning_config(config))


def configured(config: RunConfig) -> Method[Any]:
    """The method, configured."""
    return method(config)(method_config(config))


def validate_options(config: RunConfig) -> None:
    """Make sure of the options of the method, and of how it learns: a record that has them is a file.

    Raises:
        UsageError: of the first that is none.
    """
    method_config(config)
    if config.learning is not None:
        learning_config(config)


def roles(config: RunConfig) -> tuple[str, ...]:
    """The roles of the run that call a model, for its episodes and its learner."""
    return with_models(roles_of(requests(config)))


def requests(config: RunConfig) -> tuple[type[Request[Any]], ...]:
    """The requests that the run's method, and its learner if it learns, ask of roles with models."""
    return method(config).asks(learning=config.learning is not None)


def prompts(config: RunConfig) -> Prompts:
    """The method's prompts for the run's environment, the user's own folder first."""
    own = config.method.prompts
    folders = method(config).prompt_folders
    structured = [
        request_name(request)
        for request in requests(config)
        if config.model.of(role_of(request).name).answers == "schema"
    ]
    return Prompts(folders if own is None else (own, *folders), config.environment.name, structured)


def world(config: RunConfig) -> World:
    """A new instance of the run's environment."""
    name = config.environment.name
    return catalogue.world(name, **_arguments(world_options(name), config.environment.options, "environment"))


def model(settings: ModelSettings) -> Model:
    """A new instance of a model: one of ours or of a plug-in, or else an endpoint's.

    Raises:
        UsageError: it cannot be made.
    """
    name = settings.name
    given = _arguments(model_options(name, settings.url), settings.options, "model")
    if _is_here(name, settings.url):
        if "context" in inspect.signature(catalogue.factory("model", name)).parameters:
            given["context"] = settings.context
        return catalogue.model(name, **given)
    from quintet.models.endpoint.model import Endpoint

    try:
        return Endpoint(name, url=settings.url, **given)
    except UsageError as error:
        if settings.url is not None:
            raise
        near = catalogue.one_of(catalogue.names("model"), name)
        expected = f"{near}, or the name of an endpoint's model ({error})"
        raise UsageError(f"model: expected {expected}, got {name!r}") from error


def check_key(settings: ModelSettings) -> None:
    """Refuse what is given as a key's variable and is none, also for a model that nobody asks: it is written down.

    Raises:
        UsageError: it names no variable that is set. It is not quoted.
    """
    variable = settings.options.get("key")
    if isinstance(variable, str) and not _is_here(settings.name, settings.url):
        Key(variable, optional=variable == USUAL_KEY)


def _is_here(name: str, url: str | None) -> bool:
    return url is None and catalogue.is_known("model", name)


def prices(config: RunConfig, recorded: Mapping[str, Price] = MappingProxyType({})) -> Mapping[str, Price]:
    """What the model of each role costs: by the user's file, else as recorded, else by the provider's list.

    Args:
        config: of the run.
        recorded: by role, the prices that a run to resume has used so far.

    Returns:
        By role; a role whose model has no price is left out.

    Raises:
        UsageError: the user's file cannot be read, or a budget in USD is set for a model without a price.
    """
    own = {} if config.limits.prices is None else read_prices(config.limits.prices)
    limited = config.limits.budget_usd is not None or config.limits.episode_usd is not None
    used = roles(config)
    found: dict[str, Price] = {}
    for role in MODEL_ROLES:
        if role not in used:
            continue
        settings = config.model.of(role)
        price = price_of(settings.name, own) or recorded.get(role) or _list_price(settings)
        if price is not None:
            found[role] = price
        elif limited:
            raise UsageError(
                f"limits.budget_usd: expected a model with a list price, got {settings.name!r}; "
                "give its price in a TOML file named by limits.prices, or set a budget in tokens"
            )
    return found


def _list_price(settings: ModelSettings) -> Price | None:
    if _is_here(settings.name, settings.url):
        return None
    from quintet.models.endpoint.clients import resolved

    return list_price(settings.name, resolved(settings.url))


def models(config: RunConfig) -> dict[str, Model]:
    """The model of every role that the run has; one instance where roles share their settings."""
    made: list[tuple[ModelSettings, Model]] = []
    by_role: dict[str, Model] = {}
    used = roles(config)
    for role in MODEL_ROLES:
        if role not in used:
            continue
        settings = config.model.of(role)
        found = next((model for known, model in made if known == settings), None)
        if found is None:
            found = model(settings)
            made.append((settings, found))
        by_role[role] = found
    return by_role


def world_options(name: str) -> type[BaseModel]:
    """What an environment takes beside its name.

    Raises:
        UsageError: there is no such environment.
    """
    return _parameters(catalogue.factory("environment", name))


def world_variables(name: str) -> Mapping[str, str]:
    """The environment variables that stand for options of an environment where these are not set, by option.

    Raises:
        UsageError: there is no such environment.
    """
    found: Mapping[str, str] = getattr(catalogue.factory("environment", name), "variables", {})
    return found


def model_options(name: str, url: str | None = None) -> type[BaseModel]:
    """What a model takes beside its name, its address and how to draw from it.

    Args:
        name: of ours, of a plug-in, or else of an endpoint.
        url: an endpoint's address.

    Raises:
        UsageError: the plug-in of that name cannot be loaded.
    """
    if _is_here(name, url):
        return _parameters(catalogue.factory("model", name), "context")
    from quintet.models.endpoint.model import Endpoint

    return _parameters(Endpoint)


@cache
def _parameters(factory: Callable[..., Any], *settled: str) -> type[BaseModel]:
    """What a factory takes as options: all but its name and address, and what is `settled` by the section itself."""
    hints = get_type_hints(factory.__init__ if inspect.isclass(factory) else factory)
    fields: dict[str, Any] = {
        name: (_narrowed(hints.get(name, Any)), ... if parameter.default is parameter.empty else parameter.default)
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and name not in ("name", "url", *settled)  # which say what it is
    }
    strict = ConfigDict(extra="forbid", arbitrary_types_allowed=True, protected_namespaces=())
    return create_model("Options", __config__=strict, **fields)


def _narrowed(hint: Any) -> Any:
    # Where a path may be given as text too, text is read as the path it means.
    members = get_args(hint)
    if hint is not Path and Path not in members:
        return hint
    absolute: Any = AbsolutePath  # type checkers cannot join an annotated type with None
    return absolute | None if NoneType in members else absolute


def _validated(options: type[BaseModel], given: Mapping[str, Any], section: str) -> BaseModel:
    try:
        return options.model_validate(given)
    except ValidationError as error:
        raise complaint(error, {}, f"{section}.") from error


def _arguments(options: type[BaseModel], given: Mapping[str, Any], section: str) -> dict[str, Any]:
    parsed = _validated(options, given, section)
    return {name: getattr(parsed, name) for name in parsed.model_fields_set}


def stored(parsed: BaseModel) -> dict[str, Any]:
    """Options as JSON can say them, defaults included."""
    return parsed.model_dump(mode="json")
