"""The environment port: what a world implements so that the environment role can hold sessions of it.

A world is the definition (tasks, splits, metadata); a state is one live state of it. The role around them gives
addresses, order and deadlines. There are three kinds:

- `World`, whose members answer at once: a few milliseconds at most, since its host does nothing else meanwhile.
- `World` that is also `Blocking`: its members may take long, so each host calls them in threads or processes.
- `AsyncWorld`, whose members are coroutines: a browser, or a service at an address.

Calls about one state are made one at a time, in the order in which they arrive.
"""

from collections.abc import Awaitable, Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct

from quintet.messages.environment import Task
from quintet.messages.grading import Criterion

Forks: TypeAlias = Literal["copy", "replay", "none"]
"""How a world makes copies of a state. `copy`: by copying it. `replay`: by repeating its actions, and checking that
they are answered as before. `none`: not at all."""


class Opening(Struct, frozen=True, kw_only=True):
    """How a task begins."""

    observation: str
    """The opening as the world publishes it: the setting, with the goal after it or amid it."""
    setting: str
    """The opening without its goal, which it must not contain."""
    goal: str
    """The goal as an instruction without final punctuation: `craft beehive`. The opening states it, or what it quotes:
    `answer the question "Who ...?"`."""


class AnswerToGrade(Struct, frozen=True, kw_only=True):
    """An answer whose correctness the world leaves to the run's judge (`[model.judge]`)."""

    question: str
    target: str
    """A correct answer."""
    answer: str
    criterion: Criterion = "answer"


class Outcome(Struct, frozen=True, kw_only=True):
    """The outcome of one action."""

    observation: str
    reward: float
    """Earned so far in this state's history, in [0, 1]; never falls."""
    done: bool
    """No further action is accepted."""
    rejected: bool
    """The action was not carried out, as `observation` says."""
    lasting: bool = False
    """Restoring an earlier snapshot does not undo it, as with an order that a shop received."""
    figures: Mapping[str, float] = {}
    """Further figures of what was reached, by name, each in [0, 1]: `{"f1": 0.8}`. Reports show their means."""
    tells_reward: bool = False
    """`observation` tells the reward, as a page with a score does. It is journaled, and no model is shown it."""
    to_grade: tuple[AnswerToGrade, ...] = ()
    """What a judge is to grade before this outcome is final. If the run has one, `TakesVerdicts.graded` is called with
    its verdicts and returns the final outcome; if not, this outcome is final."""


class WorldState(Protocol):
    """One live state. Deterministic: the same task and actions give the same outcomes, in any process."""

    @property
    def opening(self) -> Opening:
        """How the task began; the same at every moment of the state's life."""
        ...

    @property
    def observation(self) -> str:
        """What is seen now: the answer to the last action that was carried out; before the first, the opening's."""
        ...

    def step(self, action: str) -> Outcome:
        """Act. Any text is allowed; an unknown action gives a rejected outcome, never an exception."""
        ...

    def admissible(self) -> tuple[str, ...] | None:
        """Every action that would be carried out now, each once, sorted; none when the task is done.

        Always None if the world's actions are too many to list.
        """
        ...

    def expert(self) -> tuple[str, ...] | None:
        """Actions that lead from here towards solving the task: all, or at least the next. Empty when it is done.

        None if the world knows no solution.
        """
        ...

    def fork(self) -> "WorldState":
        """An equal state that shares nothing that can change. Never called if the world's `forks` is `none`."""
        ...

    def snapshot(self) -> bytes:
        """All of the state but its task; `World.restore` takes it in any process of the same version.

        What lasting steps changed outside of the state, such as orders that a shop received, is not in it.

        Never called if the world's `forks` is `none`, unless it `GoesBack`.
        """
        ...


class AsyncState(Protocol):
    """One live state of an `AsyncWorld`; the members mean the same as those of `WorldState`.

    A call that is cancelled, at a deadline or with its branch, is the last but `close` (see `Closeable`).
    """

    @property
    def opening(self) -> Opening: ...

    @property
    def observation(self) -> str: ...

    async def step(self, action: str) -> Outcome: ...

    async def admissible(self) -> tuple[str, ...] | None: ...

    async def expert(self) -> tuple[str, ...] | None: ...

    async def fork(self) -> "AsyncState": ...

    async def snapshot(self) -> bytes: ...


class WorldDefinition(Protocol):
    """What every world says of itself: which tasks there are, and how its states are copied. It answers at once."""

    @property
    def name(self) -> str:
        """As on the command line: `textcraft`."""
        ...

    @property
    def version(self) -> str:
        """Raise this when the same task and actions give other outcomes; a run resumes only with the same version."""
        ...

    @property
    def forks(self) -> Forks:
        """How sessions are copied. A method that needs copies is refused in a world that has none."""
        ...

    @property
    def exact(self) -> bool:
        """Whether going back is exact: a restored state shows what was seen and goes on alike, and no step is lasting.

        If False, a restored state may show the same place in other words, as web pages number their elements anew; it
        takes actions in the words that it shows. `Opened.exact` and `Stepped.lasting` tell a method when that happens.
        """
        ...

    @property
    def splits(self) -> tuple[str, ...]:
        """Names of the task lists, the default one first."""
        ...

    def tasks(self, split: str) -> tuple[str, ...]:
        """Task names of a split, in published order.

        Raises:
            UsageError: no such split; the text names those there are.
        """
        ...

    def metadata(self, task: str) -> Mapping[str, str]:
        """Properties by which reports group tasks, e.g. `{"recipe depth": "3"}`. The same keys for every task.

        Raises:
            UsageError: no such task; the text names the nearest.
        """
        ...


class World(WorldDefinition, Protocol):
    """A world's definition, and how each task begins."""

    def open(self, task: Task) -> WorldState:
        """The state in which a task begins.

        Raises:
            UsageError: no such task; the text names the nearest.
        """
        ...

    def restore(self, task: Task, snapshot: bytes) -> WorldState:
        """The state that wrote `snapshot`; in a world that is not `exact`, described in the words of now.

        Raises:
            UsageError: no such task; found before the snapshot is read, and the text names the nearest.
            WorldFault: the bytes are no snapshot of this task in this version.
        """
        ...


class PlayedWorld(NamedTuple):
    """A run's world, and what another process makes it from, beside its name."""

    world: World
    options: Mapping[str, Any] = {}


class AsyncWorld(WorldDefinition, Protocol):
    """A world whose members wait: what it and its states do are coroutines. They mean the same as those of `World`.

    All its calls are made on one event loop, that of its host; what belongs to a loop, such as a connection, is best
    made by the first `open`.
    """

    async def open(self, task: Task) -> AsyncState: ...

    async def restore(self, task: Task, snapshot: bytes) -> AsyncState: ...


CallsIn: TypeAlias = Literal["thread", "process"]
"""Where a blocking world is called. `thread`: its states share nothing that may change, or lock it. `process`: it can
be pickled; a step that never returns is ended with its process."""


@runtime_checkable
class Blocking(Protocol):
    """A world whose calls may take long, so that they are made away from the event loop. None: they do not."""

    @property
    def blocking(self) -> CallsIn | None: ...


@runtime_checkable
class Closeable(Protocol):
    """A state that holds something, such as a process or a file.

    `close` is a coroutine if the state is an `AsyncState`. It is called once, after the last other call.
    """

    def close(self) -> Awaitable[None] | None: ...


@runtime_checkable
class Advises(Protocol):
    """A world that knows what its expert would do without a copy, where a copy is dear."""

    def advise(
        self, task: Task, actions: Sequence[str], observation: str
    ) -> "Awaitable[tuple[str, ...] | None] | tuple[str, ...] | None":
        """What the expert would do after these actions: as `WorldState.expert`.

        Args:
            task: that is played.
            actions: all that were taken since it began.
            observation: what is seen now.
        """
        ...


@runtime_checkable
class GoesBack(Protocol):
    """A world whose `forks` is `none`, and whose snapshots lead back to a place: to web pages by their addresses."""

    @property
    def goes_back(self) -> bool:
        """Whether its states write snapshots all the same. What is restored may differ from what was seen."""
        ...


@runtime_checkable
class HasPlaces(Protocol):
    """A world of which each host holds only so many sessions at a time."""

    @property
    def places(self) -> int:
        """How many, at least 1. A session of an episode that holds none yet waits for a free one, off its clock.

        Further sessions of an episode that holds one never wait, so that no episode waits for another's.
        """
        ...


@runtime_checkable
class Unrepeatable(Protocol):
    """A world that may answer the same actions otherwise, such as web sites that keep what was done to them.

    An attempt that is interrupted ends as such, and the episode begins again as another attempt.
    """

    @property
    def repeats(self) -> bool:
        """Whether it answers alike after all, as it is configured."""
        ...

    async def reset(self) -> None:
        """Bring the world to its beginning before an attempt that follows an interrupted one. No session is open then.

        Raises:
            WorldFault: it failed, in the words of what failed.
        """
        ...


@runtime_checkable
class GetsReady(Protocol):
    """A world that needs something on its hosts: a program, or a service at an address."""

    async def get_ready(self, tasks: Collection[str]) -> None:
        """Start and check what sessions need, on each host and before the run's first episode.

        It is called again when the run is resumed, and again if a message is lost.

        Args:
            tasks: the names of those that are to be played.

        Raises:
            UsageError: it is not there, so that no episode could be played; the text says what has to be done.
        """
        ...


@runtime_checkable
class RefusesTasks(Protocol):
    """A world some of whose tasks cannot be played as it is configured."""

    def refusal(self, task: str, *, judged: bool) -> str:
        """Why a task is left out of a run, in words that several tasks share: `needs the site map`. Empty: it is not.

        Args:
            task: one of the world's.
            judged: whether the run has a judge.
        """
        ...


@runtime_checkable
class HasPicture(Protocol):
    """A state that can be seen. The picture is kept beside the step for people; no model and no method sees it."""

    @property
    def picture(self) -> bytes:
        """What `observation` describes, as JPEG; empty: none was taken."""
        ...


@runtime_checkable
class JudgedWorld(Protocol):
    """A world with answers for a judge, whose states take verdicts (`TakesVerdicts`)."""

    @property
    def needs_judge(self) -> bool:
        """Whether its reward depends on the judge. A run without `[model.judge]` is then refused."""
        ...


@runtime_checkable
class TakesVerdicts(Protocol):
    """A state of a `JudgedWorld`."""

    def graded(self, verdicts: tuple[bool | None, ...]) -> "Outcome | Awaitable[Outcome]":
        """The final outcome of the last step, once its answers are graded; a coroutine if the state is an `AsyncState`.

        Args:
            verdicts: one for each of `Outcome.to_grade`, in order. None: the judge answered neither yes nor no.
        """
        ...


@runtime_checkable
class HasNaive(Protocol):
    """A state whose world knows a naive policy, which `expert`'s floor is compared with."""

    def naive(self) -> "tuple[str, ...] | Awaitable[tuple[str, ...] | None] | None":
        """The actions of a naive policy from here, as WebShop's buyer of the first product; None: it has none here."""
        ...


@runtime_checkable
class CountsRejections(Protocol):
    """A world in which a rejected action may leave a trace, as where it counts towards a limit of actions."""

    @property
    def counts_rejections(self) -> bool: ...


@runtime_checkable
class Worded(Protocol):
    """A world with several wordings; prompts are written in one of them."""

    def worded(self, text: str) -> str:
        """Translate a prompt's actions and observations into this world's wording."""
        ...
