"""How an episode is scored anew: two methods, by a judge and by a scorer, in a world that takes the score."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Annotated, Any, Final
from weakref import finalize

from msgspec.structs import replace

from quintet.config.values import AbsolutePath
from quintet.environments.adapters.threads import ThreadPool
from quintet.errors import ModelFault
from quintet.journal.episode_rows import EpisodeRow
from quintet.messages.environment import Step, Task
from quintet.messages.message import Unanswered
from quintet.messages.paths import Path, episode_path
from quintet.messages.reflection import JudgeAttempt
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.base.options import MethodOptions
from quintet.plugins.functions import FunctionPlace
from quintet.ports.effects import Effect
from quintet.ports.world import Opening, Outcome, World, WorldState
from quintet.rescoring.scorer import load_scorer, score
from quintet.rescoring.stored import metadata_of, read_experience, read_stored
from quintet.roles.turn_text import actions_of
from quintet.runs.chosen_episodes import choose_episodes
from quintet.runs.run_folder import RunFolder

_AT_ONCE: Final = 8
"""Episodes that a scorer is called for."""


def task_of(row: EpisodeRow) -> str:
    """The name of the task that scores a stored episode: its own; after epoch 0 with the epoch, `beehive@2`."""
    return f"{row.task}@{row.epoch}" if row.epoch else row.task


class JudgeOptions(MethodOptions):
    """Which stored episodes are scored."""

    run: Annotated[AbsolutePath, Effect.NONE]
    """The folder of the run that has them."""
    created: Annotated[str, Effect.NONE]
    """When that run was made, as `datetime.isoformat` says it."""
    episodes: Annotated[Mapping[str, str], Effect.NONE] = {}
    """By the name of our task, the stored episode that it scores, where that is not `TASK/0/0`."""

    def stored(self, task: str) -> Path:
        """The stored episode that a task of ours scores."""
        return Path(self.episodes.get(task, episode_path(task, 0, 0)))

    def open(self) -> RunFolder:
        """The run that has them; a `UsageError` if it is not there, or another one is in its place."""
        return RunFolder.open_to_read(self.run, created=datetime.fromisoformat(self.created))


class ScorerOptions(JudgeOptions):
    """And what scores them."""

    scorer: Annotated[str, Effect.IMPORTS]
    """`/abs/file.py:F`."""
    sha256: Annotated[str, Effect.NONE]
    """Of its code."""


class JudgeAnew(Method[JudgeOptions]):
    """Asks a model whether the stored attempt succeeded: 1 or 0. Without a verdict the episode faults."""

    name = "judge-anew"
    version = "1"
    requests = (JudgeAttempt,)

    def __init__(self, config: JudgeOptions, inner: Method[Any] | None = None) -> None:
        super().__init__(config, inner)
        self._run = config.open()

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        stored = self.config.stored(episode.task.name)
        shown = replace(read_experience(self._run, stored), task=episode.task.name)
        verdict = await episode.ask(JudgeAttempt(experience=shown))
        if isinstance(verdict, Unanswered):
            raise ModelFault(f"judge of {stored}: expected a verdict, got none: {verdict.reason}")
        return await _hand_in(episode, float(verdict.succeeded))

    def describe(self) -> Description:
        return Description(budget="1")

    def most_calls(self) -> int:
        return 2  # an answer that cannot be read is asked for once more


class ScoreAnew(Method[ScorerOptions]):
    """Has a user's function score the stored episode."""

    name = "score-anew"
    version = "1"

    def __init__(self, config: ScorerOptions, inner: Method[Any] | None = None) -> None:
        super().__init__(config, inner)
        self._run = config.open()
        self._scorer = load_scorer(FunctionPlace(config.scorer, config.sha256))
        self._threads = ThreadPool("scorer", _AT_ONCE)
        finalize(self, self._threads.close)  # idle ones would wait for ever

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        stored = read_stored(self._run, self.config.stored(episode.task.name))
        return await _hand_in(episode, await score(self._scorer, self.config.scorer, stored, self._threads))

    def most_calls(self) -> int:
        return 0


async def _hand_in(episode: Episode, found: float) -> Solved | Unsolved:
    last = await episode.ask(Step(session=episode.session, action=repr(found)))
    return episode.conclude(last, reason="scored")


class StoredEpisodes(World):
    """Takes the score of each stored episode of a run, once. Nothing is played.

    Args:
        run: the folder of the run that has them.
    """

    name = "stored-episodes"
    version = "1"
    splits = ("stored",)

    def __init__(self, run: Annotated[AbsolutePath, Effect.NONE]) -> None:
        self._run = RunFolder.open_to_read(run)

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(self._stored)

    @cached_property
    def _stored(self) -> Mapping[str, EpisodeRow]:
        """By the task that scores it."""
        return {task_of(row): row for row in choose_episodes(self._run)}

    def metadata(self, task: str) -> Mapping[str, str]:
        record = self._run.record
        return metadata_of(record, task) or metadata_of(record, task.rpartition("@")[0])

    def open(self, task: Task) -> "UnscoredState":
        return UnscoredState()

    def advise(self, task: Task, actions: Sequence[str], observation: str) -> tuple[str, ...]:
        """Nothing is left to do after what earned the full reward. So the stand-in judges as the run's own world."""
        row = self._stored.get(task.name)
        if row is None or not row.is_solved:
            return ("go on",)
        found = read_experience(self._run, row.path)
        return () if actions_of(found.turns) == tuple(actions) else ("go on",)


class UnscoredState(WorldState):
    """Before a score was handed in, or after."""

    def __init__(self) -> None:
        setting, goal = "The score of a stored episode can be handed in, once.", "score the stored episode"
        super().__init__(Opening(observation=f"{setting} Goal: {goal}.", setting=setting, goal=goal))

    def step(self, action: str) -> Outcome:
        try:
            found = float(action)
        except ValueError:
            found = -1.0
        if self.done or not 0 <= found <= 1:
            return self.reject(f"Expected one number in [0, 1], got {action!r}")
        return self.accept("The score is taken.", found, done=True)
