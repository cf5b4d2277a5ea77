"""A run's record, written before it begins: its configuration, its tasks, and the versions of its parts."""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, model_validator

from quintet.config.sections import RunConfig
from quintet.config.tasks import MOST_EPISODES, TaskEntry
from quintet.memory.trajectories import GivenTrajectories
from quintet.messages.learning import LearntKind, MemoryKind
from quintet.messages.store import Sealed
from quintet.models.local.gguf import ModelFile
from quintet.plugins.entry_points import Kind
from quintet.quota.cost import Cost
from quintet.quota.prices import Price
from quintet.roles.question_roles import WORLD_ROLE_NAMES
from quintet.runs.folder import Written
from quintet.runs.fork_record import ForkRecord

RUN_RECORD = "run.json"


TaskUse: TypeAlias = Literal["training", "held out", "test"]
"""What a run uses a task for: to learn from, to choose a version by, or to be measured by. A task has one use."""


class GivenMemory(BaseModel):
    """The memory or the notebook that a run began with."""

    model_config = ConfigDict(frozen=True)

    file: Path
    """Where it was. A resume reads the run's own copy, which is version 0 there."""
    version: int
    """In that file."""
    format: int
    kind: MemoryKind = "memory"
    world: str
    batches: int = 0
    tuples: int = 0
    goal_types: int = 0
    observation_types: int = 0
    notes: int = 0
    replaced: int = 0
    added: int = 0
    """Tuples, or changes of notes: version 0 of the run's own copy has them all."""
    digest: str

    @property
    def sealed(self) -> Sealed:
        """What the run's own copy says of it."""
        return Sealed(
            batches=self.batches,
            tuples=self.tuples,
            added=self.added,
            goal_types=self.goal_types,
            observation_types=self.observation_types,
            notes=self.notes,
            replaced=self.replaced,
            digest=self.digest,
        )


class LearningRun(BaseModel):
    """A run that learnt what another one begins with, up to the version that it is given."""

    model_config = ConfigDict(frozen=True)

    run: Path
    """Its folder."""
    kind: LearntKind
    version: int
    calls: int
    """Of its training, and of that of the runs whose content it began with; as the three below."""
    prompt_tokens: int
    completion_tokens: int
    nanodollars: int | None
    """None if a model has no price."""
    tasks: tuple[str, ...] = ()
    """Those that it learnt from, or that its version was chosen by, among the tasks of the other run."""

    @property
    def cost(self) -> Cost:
        """What the training spent."""
        return Cost(self.calls, self.prompt_tokens, self.completion_tokens, self.nanodollars)


class CodeRecord(BaseModel):
    """An object that a run was brought in place of a name."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Kind
    name: str
    """In the configuration."""
    origin: str
    """`/abs/file.py:OBJECT`, `package.module:OBJECT`, or that it was given from Python."""
    sha256: str
    """Of all of its source."""
    texts: Mapping[str, str]
    """SHA-256 of each file, or of each definition in a notebook cell or a script."""
    git_commit: str | None
    """Of the repository that its source lies in, with `+changes` if that had any; None outside a repository."""


class StoredScore(BaseModel):
    """The score that an episode has in the run that played it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task: str
    """That scores it anew."""
    episode: str
    """Its path in its run."""
    reward: float


class ScoredRun(BaseModel):
    """The run whose stored episodes a run scores anew."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run: Path
    """Its folder when they were chosen."""
    where: str
    """Which of its episodes; empty: all with a result."""
    before: str
    """What gave the scores that they have: `world NAME`."""
    now: str
    """What gives them anew: `judge gpt-x`, `scorer /abs/file.py:F`."""
    scores: tuple[StoredScore, ...]


class ImportedRun(BaseModel):
    """That a run was read from files of another format, which is all there is of it: it is never resumed."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: str
    """With its version: `ATIF-v1.8`."""
    left_out: Mapping[str, int] = {}
    """How many of what in the files have no place in a run."""
    foreign: bool = False
    """Whether other tools wrote them, so that nothing is known of the method and its settings."""


class RunRecord(Written):
    """The content of `RUN_RECORD`."""

    quintet: Literal["run"] = "run"
    configuration: RunConfig
    fork: ForkRecord | None = None
    """The recorded run that its episodes go on from; None: they begin by themselves."""
    shard: int | None = None
    """Which shard of a run over several drivers this is, from 0; None: the whole run."""
    tasks: tuple[TaskEntry, ...]
    """The tasks that it is measured by, in the order of the run; of a shard, its own."""
    training: tuple[TaskEntry, ...] = ()
    """The tasks that it learns from beside those; none if it does not learn, or learns along them."""
    held_out: tuple[TaskEntry, ...] = ()
    """The tasks that a version is chosen by."""
    left_out: Mapping[str, tuple[str, ...]] = {}
    """By reason, the tasks that it would be measured by, but that its world cannot play as it is configured."""
    training_left_out: Mapping[str, tuple[str, ...]] = {}
    """Tasks that it would learn from, likewise."""
    learnt: LearntKind = "plan"
    """What it learns, if it learns."""
    plan: str = ""
    """The text of `method.plan` when the run began; empty: none. A resume reads this, not the file."""
    memory: GivenMemory | None = None
    """What `memory.source` named when the run began."""
    learnt_by: tuple[LearningRun, ...] = ()
    """The runs that learnt its plan and its memory, as far as their folders were there when it began."""
    trajectories: GivenTrajectories | None = None
    """What it may learn from in place of tasks; None: none were given."""
    versions: int = 0
    """How many versions it will publish after version 0, if it learns."""
    planned: int = 0
    """How many episodes it will have at most, if it learns; 0: unknown."""
    method: str
    """Its method with the inner ones, as a command takes them: `OUTER(INNER)`. A default inner method is not
    named."""
    method_versions: Mapping[str, str]
    """By the method's name in the run, outermost first."""
    world_version: str
    content: Mapping[str, str] = {}
    """What the tasks that it is measured by are made of, by part: `World.content` of their split."""
    models: Mapping[str, str]
    """By role (`executor`; of an inner method `INNER/executor`), the name of the model, shown beside every figure."""
    assumptions: tuple[str, ...] = ()
    """What the figures of its models depend on, of those that are none."""
    sustained: Mapping[str, int] = {}
    """By the name of a model, how many calls at once its endpoint had sustained in an earlier run when this one was
    made; without those of which nothing is known, and none where a setting says the start."""
    files: Mapping[str, ModelFile] = {}
    """By role, the file of a model that runs in this process."""
    prompts: Mapping[str, str]
    """SHA-256 of every prompt, by name: `decompose`; of an inner method `INNER/execute`."""
    own_prompts: Mapping[str, Path] = {}
    """The files of the user's own prompts, by name, where they differ from the method's or there was none."""
    budget: str = ""
    """The method's own bound on model calls, in words."""
    oracle: str = ""
    """What the method, or an inner one, uses rewards for while it solves a task; empty: for nothing."""
    best_of: str = ""
    """Which of several answers to a task the method, or an inner one, gives; empty: it has one."""
    undo: str = ""
    """How the method, or an inner one, undoes its actions without a step; empty: not at all."""
    mechanisms: Mapping[str, str] = {}
    """What its methods declare that they do, by name: an SQL condition over the view `episodes`, of an episode in which
    it acted."""
    prices: Mapping[str, Price] = {}
    """By the name of a model; a model without a price is left out."""
    code: tuple[CodeRecord, ...] = ()
    """The user's objects that it was brought in place of names."""
    scored: ScoredRun | None = None
    """The run whose stored episodes it scores anew; None: it plays."""
    imported: ImportedRun | None = None
    """None: it was played here."""

    @model_validator(mode="after")
    def _check_tasks(self) -> "RunRecord":
        names = [task.name for task in (*self.tasks, *self.training, *self.held_out)]
        if len(set(names)) < len(names):
            raise ValueError("expected each task once")
        episodes = self.episodes
        if episodes > MOST_EPISODES:
            raise ValueError(f"expected at most {MOST_EPISODES:,} episodes, got {episodes:,}")
        return self

    @property
    def model(self) -> str:
        """The models' name for tables."""
        return models_label(self.models)

    @property
    def label(self) -> str:
        """What it runs, as tables name it: `OUTER(INNER) + memory v3`."""
        memory = [] if self.memory is None else [f"{self.memory.kind} v{self.memory.version}"]
        return " + ".join([self.method, *["plan"] * bool(self.plan), *memory])

    @property
    def sharded(self) -> bool:
        """Whether its tasks are divided among shards, whose folders have its journals."""
        return self.shard is None and self.configuration.runtime.shards > 1

    @property
    def learns(self) -> bool:
        """Whether it learns across episodes."""
        return self.configuration.learning is not None

    @property
    def streams(self) -> bool:
        """Whether it learns along the tasks that it is measured by, and plays each once."""
        return self.learns and self.configuration.run.stream

    @property
    def learnt_from(self) -> tuple[TaskEntry, ...]:
        """The tasks that it learns from; of a stream in their order."""
        return self.tasks if self.streams else self.training

    @property
    def given_trajectories(self) -> int:
        """How many trajectories it learns from, in place of tasks."""
        return 0 if self.trajectories is None else self.trajectories.number

    @property
    def measured(self) -> frozenset[str]:
        """The names of the tasks that it is measured by, or that a version is chosen by."""
        return frozenset(task.name for task in (*self.tasks, *self.held_out))

    @property
    def episodes(self) -> int:
        """How many episodes it has; at most, if it learns."""
        if self.fork is not None:
            return len(self.fork.episodes)
        return self.planned if self.learns else len(self.tasks) * self.configuration.run.epochs

    def repeated(self) -> Iterator[tuple[int, TaskEntry]]:
        """Every epoch with every task, in order; none if the run learns, since its learner asks for episodes."""
        every = product(range(0 if self.learns else self.configuration.run.epochs), self.tasks)
        return every if self.fork is None else (each for each in every if self._is_continued(*each))

    def world_of(self, task: str, epoch: int) -> int:
        """The epoch that the world of an episode is of."""
        continued = None if self.fork is None else self.fork.by_episode.get((task, epoch))
        if continued is not None:
            return continued.start.world
        return 0 if self.learns else epoch  # all versions of a run that learns have the same worlds

    def _is_continued(self, epoch: int, task: TaskEntry) -> bool:
        return self.fork is not None and (task.name, epoch) in self.fork.by_episode

    def shard_tasks(self, shard: int) -> "tuple[TaskEntry, ...]":
        """The tasks of a shard: one of every so many."""
        return self.tasks[shard :: self.configuration.runtime.shards]

    def shard_of(self, task: str) -> int:
        """The shard that plays a task; 0 for a task that the run does not have."""
        place = next((place for place, entry in enumerate(self.tasks) if entry.name == task), 0)
        return place % self.configuration.runtime.shards

    def use_of(self, task: str) -> TaskUse:
        """What the run uses the task of this name for."""
        if any(entry.name == task for entry in self.training):
            return "training"
        return "held out" if any(entry.name == task for entry in self.held_out) else "test"


NO_MODEL = "no model"
"""The label of a run without a model."""


def models_label(models: Mapping[str, str]) -> str:
    """One name for a run's models by role; different ones with their roles, a judge's and a user's always."""
    if not models:
        return NO_MODEL
    own = {role: name for role, name in models.items() if role not in WORLD_ROLE_NAMES}
    listed = [*dict.fromkeys(own.values())]
    if len(listed) > 1:
        listed = [f"{role} {name}" for role, name in own.items()]
    asked_by_world = [f"{role} {models[role]}" for role in WORLD_ROLE_NAMES if role in models]
    return " + ".join([*listed, *asked_by_world])
