"""The models of a run: made, their keys checked, their prices found."""

from collections.abc import Iterator, Mapping

from quintet.config import plugins
from quintet.config.complaints import with_origin
from quintet.config.memory_section import EmbedderSettings
from quintet.config.methods import MethodConfig
from quintet.config.resolve import Resolved
from quintet.config.sections import ModelSettings
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.ports.model import ListPriced, Model
from quintet.quota.prices import Price, list_price, price_of, read_prices
from quintet.runtime.batched import Batched
from quintet.runtime.spec import RunSpec


class ModelMaker:
    """Makes the models of roles: one instance where they share their settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._made: list[tuple[ModelSettings, Model]] = []

    def make(self, each: MethodConfig, role: str) -> Model:
        """The model of a method's role."""
        wanted = each.model.of(role)
        for known, model in self._made:
            if known == wanted:
                return model
        with with_origin(self._settings, each.model_keys(role, "file", "name")):
            made = plugins.make_model(wanted)
            model = self._batched(made) if wanted.batch else made
        self._made.append((wanted, model))
        return model

    def _batched(self, made: Model) -> Batched:
        model = Batched(made)
        others = (known for _, known in self._made if isinstance(known, Batched) and known.name == model.name)
        if any(known.account != model.account for known in others):
            raise UsageError(f"model.batch: expected one address and key for all that call {made.name}, got others")
        return model


def check_keys(run: Resolved) -> None:
    """Refuse a `key` unless it names an environment variable that is set; also of models that no role calls."""
    config, settings = run.config, run.settings
    for each in run.methods:
        for role in each.model_roles:
            with with_origin(settings, each.model_keys(role, "key")):
                plugins.check_key(each.model)
                plugins.check_key(each.model.of(role))
    if config.memory is not None and config.memory.embedder is not None:
        with with_origin(settings, ["memory.embedder.key"]):
            plugins.check_key(config.memory.embedder, "embedder")


def find_prices(run: Resolved, spec: RunSpec, recorded: Mapping[str, Price]) -> dict[str, Price]:
    """What each model costs: by the user's file, else as recorded, else by the provider's list.

    By the name under which a model is shown and journaled; a model without a price is left out, and refused beside a
    budget in USD. `recorded` has the prices that a run to resume has used so far.
    """
    config = run.config
    own = {} if config.limits.prices is None else read_prices(config.limits.prices)
    limits = [limit for limit in ("budget_usd", "episode_usd") if getattr(config.limits, limit) is not None]
    found: dict[str, Price] = {}
    for model, wanted in _models(run, spec):
        price = price_of(_own_name(model, wanted), own) or recorded.get(model.name) or _list_price(model, wanted)
        if price is not None:
            found[model.name] = price
        elif limits:
            raise UsageError(
                f"limits.{limits[0]}: expected a model with a list price, got {_own_name(model, wanted)!r}; "
                "give its price in a TOML file named by limits.prices, or set a budget in tokens"
            )
    return found


def _own_name(model: Model, settings: ModelSettings | EmbedderSettings) -> str:
    """The name under which the user's file has a model's price."""
    if isinstance(model, Batched):
        return f"{_own_name(model.model, settings)} (batch)"
    return model.name if isinstance(model, ListPriced) else settings.name


def _list_price(model: Model, settings: ModelSettings | EmbedderSettings, *, batch: bool = False) -> Price | None:
    if isinstance(model, Batched):
        return _list_price(model.model, settings, batch=True)
    if isinstance(model, ListPriced):
        provider, writes = model.priced_by, model.pays_to_cache
        return None if provider is None else list_price(model.model, provider=provider, writes=writes, batch=batch)
    embeds = isinstance(settings, EmbedderSettings)
    if plugins.is_here(settings.name, settings.url, "embedder" if embeds else "model"):
        return None
    from quintet.models.endpoint.address import resolve_url

    return list_price(settings.name, resolve_url(settings.url), embeds=embeds, batch=batch)


def _models(run: Resolved, spec: RunSpec) -> Iterator[tuple[Model, ModelSettings | EmbedderSettings]]:
    for each, made in zip(run.methods, spec.methods, strict=True):
        yield from ((model, each.model.of(role)) for role, model in made.models.items())
    memory = run.config.memory
    embeds = None if memory is None else memory.embeds
    if isinstance(spec.embedder, ModelEmbedder) and embeds is not None:
        yield spec.embedder.model, embeds
