"""A run's configuration: the sections of a TOML file, validated; a run's record keeps it in full."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, cast, get_args, get_origin

from pydantic import BeforeValidator, Field, StrictBool
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from quintet.config.memory_section import MemorySection
from quintet.config.plug_in_sections import EndpointAddress, Name, Optioned, PlugInSection
from quintet.config.runtime_sections import LimitsSection, RuntimeSection
from quintet.config.values import AbsolutePath, Positive, Section
from quintet.messages.learning import Feedback
from quintet.messages.message import Request
from quintet.models.endpoint.family import family_of
from quintet.plugins import catalogue
from quintet.ports.effects import Effect
from quintet.ports.model import Sampling
from quintet.questions.shape import AnswerForm
from quintet.roles.conversations import ExamplesShown
from quintet.roles.question_roles import WORLD_ROLES
from quintet.roles.registry import ROLES, with_models
from quintet.roles.role import Role

MODEL_ROLES = with_models(ROLES)
"""The names of our roles that call a model."""

METHOD_MODEL_ROLES = with_models(role for role in ROLES if not role.apart)
"""Those of them that call it for a method: all but the judge and the user."""


CHANGEABLE = (
    *(f"runtime.{name}" for name in RuntimeSection.model_fields if name != "shards"),  # which divided the tasks
    "run.keep_going",
    "limits.model_seconds",
    "limits.repeats",
    "limits.patience_seconds",
    "limits.step_seconds",
    "limits.session_seconds",
    "limits.calls",
    "limits.start",
    "limits.requests_per_minute",
    "limits.tokens_per_minute",
    "limits.pace",
    "limits.budget_usd",
    "limits.budget_tokens",
    "limits.prices",
    *(
        f"{model}.{address}"
        for model in ("model", "model.ROLE", "method.inner.model", "method.inner.model.ROLE")
        for address in ("url", "key", "address")
    ),
    "memory.embedder.url",
    "memory.embedder.key",
)
"""What a resumed run may change. A deadline or budget can only fault or suspend a run, never change a result; nor can
an endpoint's address. `method.inner` stands for the inner method at every depth, and `ROLE` for every role."""


def _count_or_names(value: object) -> object:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return value
    names: list[object] = list(cast("Iterable[object]", value)) if isinstance(value, list | tuple) else []
    if isinstance(value, str):
        names = [name.strip() for name in value.split(",")]
    if names and all(isinstance(name, str) and name for name in names):
        return tuple(names)
    raise PydanticCustomError("tasks", "a number of tasks >= 1, or names of tasks")


class EnvironmentSection(PlugInSection):
    """`[environment]`."""


class ModelSettings(PlugInSection):
    """A model and how it is sampled."""

    name: Name = catalogue.DEFAULT_MODEL
    """Of `quintet list models`, or of an endpoint's model."""
    url: EndpointAddress = None
    """The base address of an endpoint; the name is sent to it as it is. None: the catalogue's model of that name, or
    else OpenAI's."""
    temperature: Annotated[float, Field(ge=0)] = 0.0
    """Of sampling, at least 0; a method may have another default."""
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Of sampling, above 0 and at most 1."""
    max_tokens: Positive | None = None
    """Of a completion, reasoning included. None: 8,192 if the model is known to reason, else 2,048 for the planner
    and the reflector, and 1,024 for the executor."""
    answers: AnswerForm = "text"
    """`text`: as the papers' prompts ask. `schema`: JSON; its schema goes with every call, and its fields replace the
    format in the prompt. `tools`: the same as the arguments of a tool; an action is a call of `act`."""
    examples: ExamplesShown = "text"
    """How a method's worked examples are shown: `text`, below the instructions; `turns`, as a conversation before the
    task, which small models go on with sooner."""
    batch: bool = False
    """Whether calls wait for the provider's batches: answered within a day, at the price of batches."""
    context: Positive | None = None
    """Tokens that a prompt and its completion may take together. None: unknown here; the endpoint decides."""

    def sampling(self, role: Role) -> Sampling:
        """The sampling of a role; the executor adds its stop words, and every call its seed."""
        return Sampling(temperature=self.temperature, top_p=self.top_p, max_tokens=self.longest(role))

    @property
    def family(self) -> str:
        """The name that tells a model's family: what follows a colon, as in `bridge:PROVIDER/MODEL`."""
        option = catalogue.name_option("model", self.name) if self.url is None else None
        return self.name if option is None else str(self.options.get(option, self.name))

    def longest(self, role: Role) -> int:
        """The most tokens of a role's completion."""
        if self.max_tokens is not None:
            return self.max_tokens
        if family_of(self.family).reasons:
            return 8_192
        return role.completion_tokens or 0


class ModelSection(ModelSettings):
    """`[model]`: the model of every role without a table of its own, such as `[model.planner]`."""

    roles: Mapping[str, ModelSettings] = {}
    """By role, what its table says. Settings have the tables beside the other keys: `model.planner.name`."""

    @property
    def for_world(self) -> tuple[type[Request[Any]], ...]:
        """What the environment role asks: a run has a judge or a user only where `[model.judge]` names its model."""
        return tuple(request for role in WORLD_ROLES if role.name in self.roles for request in role.requests)

    def of(self, role: str) -> ModelSettings:
        """The settings of a role's model."""
        return self.roles.get(role) or ModelSettings.model_validate(self.model_dump(exclude={"roles"}))


class NestingSection(PlugInSection):
    """A method, the user's own prompts for it, and the method within it."""

    prompts: Annotated[AbsolutePath | None, Effect.NONE] = None
    """A folder of the user's own prompts, `<folder>/<environment>/<name>.txt`; each replaces the method's."""
    inner: "InnerMethodSection | None" = None
    """None: it has no inner method."""

    @property
    def nested_options(self) -> dict[str, Any]:
        """Its options, and the names and options of its inner methods, by key: `max_depth`, `inner.max_steps`."""
        if self.inner is None:
            return {**self.options}
        inner = {"name": self.inner.name, **self.inner.nested_options}
        return {**self.options, **{f"inner.{key}": value for key, value in inner.items()}}


class InnerMethodSection(NestingSection):
    """`[method.inner]`: the method by which the one around it attempts its goals. `[method.inner.inner]` is its own."""

    model: ModelSection | None = None
    """The models of its roles; None: the run's."""


class MethodSection(NestingSection):
    """`[method]`."""

    plan: Annotated[AbsolutePath | None, Effect.NONE] = None
    """A file with a plan that the executor sees before every task; a run that learns begins with it."""


class RunSection(Section):
    """`[run]`: which tasks, how often."""

    split: Annotated[str | None, Effect.NONE] = None
    """None until resolved: the environment's first."""
    tasks: Annotated[int | tuple[str, ...] | None, BeforeValidator(_count_or_names), Effect.NONE] = None
    """The first so many of the split, or these by name, or None for the whole split."""
    task_type: Annotated[Annotated[str, Field(min_length=1)] | None, Effect.NONE] = None
    """Only tasks whose metadata has this as `task type`; None for all."""
    per_type: Positive | None = None
    """Only the first so many tasks of each task type, in the order of the split; `tasks` counts what is left."""
    epochs: Positive = 1
    """How often each task is played."""
    group: Positive = 1
    """Epochs in a row that meet the same world, as training compares attempts; 1: each epoch has a world of its own."""
    learn: StrictBool = False
    """Whether the method learns, from the tasks of `[learning]`; it is measured by the tasks of this section."""
    stream: StrictBool = False
    """Whether the tasks are a stream, of which reports show the success from the first to the last. A run that learns
    then learns from these tasks: it plays each once, with what was learnt from those before."""
    order: int | None = None
    """The seed that shuffles the tasks of a stream; None: they are played as the split, or the setting, lists them."""
    seed: int = 0
    """Fixes the worlds, the calls, and every draw of tasks."""
    sampling_seed: int = 0
    """Other than 0: a new draw of all calls, in the same worlds with the same tasks. Their seeds follow from both."""
    keep_going: bool = False
    """Whether the run goes on after a bug in a method, a role, a world or a model; else the first one stops it."""


class LearningSection(Optioned):
    """`[learning]`: the tasks that a run learns from, and the options of its method's learner."""

    split: Annotated[str | None, Effect.NONE] = None
    """The split of the tasks to learn from. None: the tasks are named."""
    tasks: Annotated[int | tuple[str, ...] | None, BeforeValidator(_count_or_names), Effect.NONE] = None
    """So many of the split and of `run.task_type`, drawn by the run's seed; or these by name; or None for all."""
    held_out: Annotated[int, Field(ge=0)] = 0
    """How many of them, drawn by the run's seed, are held out to choose a version by."""
    feedback: Feedback = "reward"
    """Whence the learner knows whether an episode succeeded. `reward`: the world says so. `judged`: the reflector does,
    which is shown no reward. Held-out and test tasks are measured by the world in both cases."""


class RunConfig(Section):
    """All settings of a run. Reads back from its JSON as the same."""

    method: MethodSection
    environment: EnvironmentSection
    model: ModelSection = ModelSection()
    run: RunSection = RunSection()
    learning: LearningSection | None = None
    """None: the run does not learn."""
    memory: MemorySection | None = None
    """None: the run has no memory."""
    runtime: RuntimeSection = RuntimeSection()
    limits: LimitsSection = LimitsSection()


def setting_tables() -> Mapping[str, type[Section]]:
    """The tables of a run's settings: `limits`, `model.ROLE` for that of each role, `method.inner` for every depth."""
    return {name: table for name, table in _tables("", RunConfig) if name}


def table_within(field: FieldInfo) -> type[Section] | None:
    """The table that a setting is, or has several of; None for a value."""
    waiting: list[object] = [field.annotation]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, Section):
            return kind
        waiting += get_args(kind)
    return None


def _tables(name: str, table: type[Section]) -> Iterator[tuple[str, type[Section]]]:
    yield name, table
    for key, field in table.model_fields.items():
        if (inner := table_within(field)) is not None and inner is not table:
            shared = "" if table is ModelSection else f".{key}"
            named = ".ROLE" if table is ModelSection else ".NAME"
            several = named if get_origin(field.annotation) is Mapping else ""
            yield from _tables(f"{name}{shared}{several}".removeprefix("."), inner)
