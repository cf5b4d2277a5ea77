"""The environment port: what a world is, so that the environment role can hold sessions of it.

A world is the definition (tasks, splits, metadata); a state is one live state of it. The role around them gives
addresses, order and deadlines. There are three kinds:

- `World`, whose members answer at once: a few milliseconds at most, since its host does nothing else meanwhile.
- `World` that says `blocking`: its members may take long, so each host calls them in threads or processes.
- `AsyncWorld`, whose members are coroutines: a browser, or a service at an address.

`tasks`, `open` and a state's `step` are required; all else has a default. An object that inherits nothing is a world
too, if it has these members and its states have `opening` and `observation`. Calls about one state are made one at a
time, in the order in which they arrive.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self, TypeAlias

from msgspec import Struct

from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.messages.grading import Criterion
from quintet.messages.simulating import Utterance
from quintet.messages.tools import OfferedTool
from quintet.ports.state_fields import fields_of
from quintet.ports.task_names import unknown_split, unknown_task

Forks: TypeAlias = Literal["copy", "replay", "none"]
"""How a world makes copies of a state. `copy`: by copying it. `replay`: by repeating its actions, and checking that
they are answered as before. `none`: not at all."""


TASK_TYPE: Final = "task type"
"""The key of a task's metadata by which tasks are chosen, and by which notes are for some tasks."""


CallsIn: TypeAlias = Literal["thread", "process"]
"""Where a blocking world is called. `thread`: its states share nothing that may change, or lock it. `process`: it can
be pickled; a step that never returns is ended with its process."""


class Opening(Struct, frozen=True, kw_only=True):
    """How a task begins."""

    observation: str
    """The opening as the world publishes it: the setting, with the goal after it or amid it."""
    setting: str
    """The opening without its goal, which it must not contain."""
    goal: str
    """The goal as an instruction without final punctuation: `craft beehive`. The opening states it, or what it quotes:
    `answer the question "Who ...?"`."""
    tools: tuple[OfferedTool, ...] = ()
    """What a model that calls tools is offered in place of actions as text, those that end the task included. Each call
    is the action `NAME ARGUMENTS`, which the state takes as text too, and the setting describes the tools. Empty: an
    action is any text. If they change, `WorldState.offered` says so."""


class AnswerToGrade(Struct, frozen=True, kw_only=True):
    """An answer whose correctness the world leaves to the run's judge (`[model.judge]`)."""

    question: str
    target: str
    """A correct answer."""
    answer: str
    criterion: Criterion = "answer"


class MessageToUser(Struct, frozen=True, kw_only=True):
    """A message whose answer the world leaves to the run's user (`[model.user]`)."""

    scenario: tuple[str, ...]
    """Who the user is, what it knows and what it wants, part by part."""
    conversation: tuple[Utterance, ...]
    """Begun by the user; last is the agent's message, or what came of calls that the user has made since."""
    tools: Mapping[str, str] = {}
    """What the user may call, by name, each as it is described to it. `WorldState.user_called` carries calls out."""


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
    final_answer: bool = False
    """The action was the agent's last word, such as an answer or a purchase: its claim to have completed the task."""
    to_grade: tuple[AnswerToGrade, ...] = ()
    """What a judge is to grade before this outcome is final. If the run has one, `WorldState.graded` is called with
    its verdicts and returns the final outcome; if not, this outcome is final."""
    to_user: MessageToUser | None = None
    """What a user is to answer before this outcome is final. If the run has one, `WorldState.answered` is called with
    its answer and returns the outcome, which a judge may then be asked about; if not, this outcome is final. A returned
    outcome with a further message is not final either."""


class WorldState(ABC):
    """One live state. Deterministic: the same task and actions give the same outcomes, in any process.

    What a class annotates in its body is declared: a fork has its own value of it, and a snapshot holds it. All other
    attributes are shared by forks, and set anew by `World.open` before a snapshot is read.

    Args:
        opening: how the task begins.
    """

    observation: str
    """What is seen now: the answer to the last action that was carried out; before the first, the opening's."""
    reward: float
    """Earned so far."""
    done: bool
    """No further action is accepted."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self.observation = opening.observation
        self.reward = 0.0
        self.done = False

    @property
    def opening(self) -> Opening:
        """How the task began; the same at every moment of the state's life."""
        try:
            return self._opening
        except AttributeError:
            called = "`super().__init__(opening)` in its __init__, got a state without it"
            raise TypeError(f"{type(self).__name__}: expected {called}") from None

    @property
    def offered(self) -> tuple[OfferedTool, ...]:
        """The tools that are offered now, in a world whose opening offers some."""
        return self.opening.tools

    @property
    def picture(self) -> bytes:
        """What `observation` describes, as JPEG, for people: no model and no method sees it. Empty: none was taken."""
        return b""

    @abstractmethod
    def step(self, action: str) -> Outcome:
        """Act. Any text is allowed; an unknown action gives a rejected outcome, never an exception."""

    def accept(self, observation: str, reward: float | None = None, *, done: bool = False, **further: Any) -> Outcome:
        """The outcome of an action that was carried out.

        Args:
            observation: the answer to it.
            reward: earned so far; None: as much as before.
            done: whether it ended the task.
            further: other fields of `Outcome`.
        """
        self.observation, self.done = observation, done
        if reward is not None:
            self.reward = reward
        return Outcome(observation=observation, reward=self.reward, done=done, rejected=False, **further)

    def reject(self, observation: str) -> Outcome:
        """The outcome of an action that was not carried out, as `observation` says."""
        return Outcome(observation=observation, reward=self.reward, done=self.done, rejected=True)

    def admissible(self) -> tuple[str, ...] | None:
        """Every action that would be carried out now, each once, sorted; none when the task is done.

        Always None if the world's actions are too many to list.
        """
        return None

    def expert(self) -> tuple[str, ...] | None:
        """Actions that lead from here towards solving the task: all, or at least the next. Empty when it is done.

        None if the world knows no solution.
        """
        return None

    def naive(self) -> tuple[str, ...] | None:
        """The actions of a naive policy from here, as WebShop's buyer of the first product; None: it has none here.

        The expert's floor: reports compare the expert with it.
        """
        return None

    def graded(self, verdicts: tuple[bool | None, ...]) -> Outcome:
        """The final outcome of the last step, once its answers are graded.

        Args:
            verdicts: one for each of `Outcome.to_grade`, in order. None: the judge answered neither yes nor no.

        Raises:
            WorldFault: it has answers to grade, and takes no verdicts.
        """
        raise no_verdicts(self)

    def answered(self, text: str, leaves: bool) -> Outcome:
        """The outcome of the last step, once the user has answered.

        Args:
            text: what the user says; empty only if it leaves.
            leaves: whether it ends the conversation.

        Raises:
            WorldFault: it has messages to a user, and takes no answers.
        """
        raise no_answers(self)

    def user_called(self, call: str) -> Outcome:
        """The outcome of the last step, once the user has called one of its tools.

        Args:
            call: as the user wrote it. What is no call of a tool is told the user, as the result.

        Returns:
            One with a message to the user, which has the call and its result, unless the user has called enough.

        Raises:
            WorldFault: its users have no tools.
        """
        raise no_answers(self, "user_called(call)")

    def fork(self) -> Self:
        """An equal state that shares nothing that can change. Never called if the world's `forks` is `none`."""
        kind = type(self)
        made = kind.__new__(kind)
        held = vars(made)
        held.update(vars(self))
        for name, copy in fields_of(kind).copiers:
            held[name] = copy(held[name])
        return made

    def snapshot(self) -> bytes:
        """The declared fields, which `World.restore` takes in any process of the same version.

        The role around the world writes task and version beside them, and a digest; it hands back no other bytes.
        What lasting steps changed outside of the state, such as orders that a shop received, is not in it.

        Never called if the world's `forks` is `none`, unless it `goes_back`.
        """
        return fields_of(type(self)).encode(self)

    def load(self, snapshot: bytes) -> None:
        """Set the declared fields of a state that has just been opened to those of a snapshot.

        Raises:
            WorldFault: the bytes are no snapshot of such a state.
        """
        fields_of(type(self)).decode(self, snapshot)

    def close(self) -> None:  # noqa: B027  nothing is the default
        """Free what it holds, such as a process or a file. Called once, after the last other call."""


class WorldDefinition(ABC):
    """What every world says of itself: which tasks there are, and how its states are copied. It answers at once."""

    name: str
    """As on the command line: `textcraft`."""
    version: str = "1"
    """Raise this when the same task and actions give other outcomes; a run resumes only with the same version."""
    splits: tuple[str, ...] = ("test",)
    """Names of the task lists, the default one first."""
    forks: Forks = "copy"
    """How sessions are copied. A method that needs copies is refused in a world that has none."""
    exact: bool = True
    """Whether going back is exact: a restored state shows what was seen and goes on alike, and no step is lasting.

    If False, a restored state may show the same place in other words, as web pages number their elements anew; it
    takes actions in the words that it shows. `Opened.exact` and `Stepped.lasting` tell a method when that happens.
    """
    goes_back: bool = False
    """Whether states write snapshots although `forks` is `none`: they lead back to a place, as an address does to a
    page. What is restored may differ from what was seen."""
    blocking: CallsIn | None = None
    """Where its calls, which may take long, are made away from the event loop; None: they answer at once."""
    places: int | None = None
    """How many sessions each host holds at a time, at least 1; None: any number.

    A session of an episode that holds none yet waits for a free place, off its clock. Further sessions of an episode
    that holds one never wait, so that no episode waits for another's.
    """
    repeats: bool = True
    """Whether it answers the same actions alike, unlike web sites that keep what was done to them. If not, an attempt
    that is interrupted ends as such, and the episode begins again as another attempt, after a `reset`."""
    needs_judge: bool | None = None
    """Whether its reward depends on the run's judge; a run without `[model.judge]` is then refused. None: it has no
    answers for a judge."""
    needs_user: bool | None = None
    """Whether it can only be played with the run's user; a run without `[model.user]` is then refused. None: it has no
    messages to a user."""
    counts_rejections: bool = False
    """Whether a rejected action may leave a trace, as where it counts towards a limit of actions."""
    opens_on_page: bool = False
    """Whether the setting is only what is seen first, as a page that the next one replaces. If not, it holds for all of
    a task, as a list of commands does."""
    prompt_folder: Path
    """A folder of prompts that suit it, by method; without the attribute it brings none. It is looked for on what makes
    the world, such as its class, or on the world where the object itself is given."""
    variables: ClassVar[Mapping[str, str]] = {}
    """Environment variables that are defaults of options."""

    @abstractmethod
    def tasks(self, split: str) -> tuple[str, ...]:
        """Task names of a split, in published order.

        Raises:
            UsageError: no such split; the text names those there are (`check_split`).
        """

    def metadata(self, task: str) -> Mapping[str, str]:
        """Properties by which reports group tasks, e.g. `{"recipe depth": "3"}`. The same keys for every task.

        Raises:
            UsageError: no such task; the text names the nearest (`check_task`).
        """
        self.check_task(task)
        return {}

    def scores(self, task: str) -> tuple[str, ...]:
        """The names of those figures of a task that are 0 in an episode whose outcomes do not have them.

        So means are of all episodes, also of those that ended before the world had a figure for them.
        """
        return ()

    def content(self, split: str) -> Mapping[str, str]:
        """What a split's tasks are made of, by part: a digest (`games`), or the name of a choice (`dialect`).

        Equal wherever the files lie. A run stands in line with a paper's row only if the world's `tasks.toml` states
        the same for the split; what options say is compared by itself.

        Raises:
            UsageError: no such split; the text names those there are (`check_split`).
        """
        self.check_split(split)
        return {}

    def check_split(self, split: str) -> None:
        """Raises UsageError, which names the splits there are, if there is no such split."""
        if split not in self.splits:
            raise unknown_split(split, self.splits, self.name)

    def check_task(self, task: str) -> None:
        """Raises UsageError, which names the nearest tasks, if no split has the task."""
        known = [name for split in self.splits for name in self.tasks(split)]
        if task not in known:
            raise unknown_task(task, known, self.name)

    @property
    def takes_snapshots(self) -> bool:
        """Whether snapshots of its states can be taken and opened."""
        return self.forks != "none" or self.goes_back

    def refusal(self, task: str, *, judged: bool) -> str:
        """Why a task is left out of a run, in words that several tasks share: `needs the site map`. Empty: it is not.

        Args:
            task: one of the world's.
            judged: whether the run has a judge.
        """
        return ""

    def lacking(self) -> str:
        """What this machine lacks to play it, such as a browser; empty: nothing. Asked by a dry run."""
        return ""

    def answer_action(self, answer: str) -> str:
        """The action that ends a task with an answer, such as `finish[...]`. Empty: a task ends by what is done.

        Args:
            answer: one line; it may be empty.
        """
        return ""

    def worded(self, text: str) -> str:
        """A prompt's actions and observations in this world's wording, if it has several."""
        return text

    async def get_ready(self, tasks: Collection[str]) -> None:  # noqa: B027  nothing is the default
        """Start and check what sessions need, on each host and before the run's first episode.

        It is called again when the run is resumed, and again if a message is lost.

        Args:
            tasks: the names of those that are to be played.

        Raises:
            UsageError: it is not there, so that no episode could be played; the text says what has to be done.
        """

    async def reset(self) -> None:  # noqa: B027  nothing is the default
        """Bring the world to its beginning before an attempt that follows an interrupted one. No session is open then.

        Raises:
            WorldFault: it failed, in the words of what failed.
        """

    async def aclose(self) -> None:  # noqa: B027  nothing is the default
        """End what the world holds on a host, once every session there is closed."""


class World(WorldDefinition):
    """A world's definition, and how each task begins."""

    @abstractmethod
    def open(self, task: Task) -> WorldState:
        """The state in which a task begins.

        Raises:
            UsageError: no such task; the text names the nearest (`check_task`).
        """

    def restore(self, task: Task, snapshot: bytes) -> WorldState:
        """The state that wrote `snapshot`; in a world that is not `exact`, described in the words of now.

        Raises:
            UsageError: no such task; found before the snapshot is read, and the text names the nearest.
            WorldFault: the bytes are no snapshot of this world.
        """
        state = self.open(task)
        try:
            state.load(snapshot)
        except BaseException:
            state.close()
            raise
        return state

    def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...] | None:
        """What the expert would do after these actions; a world whose copies are dear answers without one.

        Args:
            task: that is played.
            actions: all that were taken since it began.
            observation: what is seen now.

        Returns:
            As `WorldState.expert`.
        """
        state = self.open(task)
        try:
            for action in actions:
                state.step(action)
            return state.expert()
        finally:
            state.close()


class PlayedWorld(NamedTuple):
    """A run's world, and what another process makes it from, beside its name."""

    world: World
    options: Mapping[str, Any] = {}


def no_verdicts(state: object) -> WorldFault:
    """The fault of a state that has answers to grade, and takes no verdicts."""
    got = f"{type(state).__name__}, which has none"
    return WorldFault(f"to_grade: expected a state with graded(verdicts), got {got}")


def no_answers(state: object, member: str = "answered(text, leaves)") -> WorldFault:
    """The fault of a state that has messages to a user, and takes no answers, or no calls of the user's tools."""
    got = f"{type(state).__name__}, which has none"
    return WorldFault(f"to_user: expected a state with {member}, got {got}")
