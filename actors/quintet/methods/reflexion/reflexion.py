"""Reflexion: trials of the whole task, each with what was learnt from the failed ones."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from quintet.messages.environment import Close, Open, Session, Task
from quintet.messages.parts import Reflections
from quintet.messages.reflection import LookBack, LookedBack
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode, done_reason
from quintet.methods.base.method import Description, Method
from quintet.methods.base.trials import TrialStart, has_succeeded, keep_best, with_processes
from quintet.methods.reflexion.config import ReflexionConfig

_FALSE_CLAIM = "it was claimed to be completed, and is not"


class Reflexion(Method[ReflexionConfig]):
    """Trials of its inner method, each in a session of its own, with the newest reflections on the failed ones.

    A trial has failed if its reward is not full, whatever the model claims; at a part of a task, inside another method,
    if it says so itself. All but the last are looked back on. The
    answer is the first trial that did not fail, else the one with the greatest reward, the last of equals.

    Source: Reflexion (Shinn et al., 2023) and its released code for ALFWorld; ADaPT, section 4.2, for the trials.
    """

    name = "reflexion"
    version = "3"
    requests = (LookBack,)
    prompt_folders = (Path(__file__).parent / "prompts",)
    worlds = {
        "textcraft": {"trials": 4, "inner": {"max_steps": 20}},
        "alfworld": {"trials": 3, "inner": {"max_steps": 20}},
        "hotpotqa": {"trials": 5, "inner": {"max_steps": 6}},
        "webshop": {"trials": 3, "inner": {"max_steps": 15}},
        "webarena": {"trials": 3, "inner": {"max_steps": 30}},
    }
    environments = {"hotpotqa": {"max_steps": 6}}
    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        learnt: list[str] = []
        others = self._others(episode)
        start = await TrialStart.of(episode, trials=self.config.trials)
        tried = best = await self._trial(episode, episode.session)
        trials = [tried]
        episode.offer(best)
        episode.journal_trial(number=1, actions=len(tried.turns), reward=tried.reward)
        for number in range(2, self.config.trials + 1):
            if has_succeeded(episode, best):
                break
            learnt += await self._learn(episode, tried, self._newest(learnt), others)
            tried = await self._trial(episode, await start.open(), self._newest(learnt))
            trials.append(tried)
            episode.journal_trial(number=number, actions=len(tried.turns), reward=tried.reward)
            best = await keep_best(episode, tried, best)
        if not episode.purpose:
            return best
        # Only a learner wants them. The one that counts comes last, so that a verdict on the answer is about that.
        return with_processes(episode, best, [*(each for each in trials if each is not best), best])

    def describe(self) -> Description:
        oracle = "a full reward ends its trials, and any other tells it to look back"
        return Description(budget=self.budget_of_attempts(self.config.trials), oracle=oracle)

    def needs_snapshots_as_inner(self) -> bool:
        return self.config.trials > 1

    def further_tasks(self) -> tuple[str, ...]:
        return (self.config.other_tasks or ()) if self.config.reflections == "swapped" else ()

    def most_calls(self) -> int | None:
        attempts = self.most_calls_of_attempts(self.config.trials)
        if attempts is None or self.config.reflections == "swapped":  # tries any number of other tasks
            return None
        return attempts + (self.config.trials - 1 if self.config.reflections == "own" else 0)

    def _newest(self, learnt: Sequence[str]) -> tuple[str, ...]:
        return tuple(learnt[-self.config.memory :])

    async def _trial(self, episode: Episode, session: Session, learnt: tuple[str, ...] = ()) -> Solved | Unsolved:
        reflections = (Reflections(texts=learnt),) if learnt else ()
        return await episode.attempt(session=session, parts=(*episode.inherited, *reflections))

    async def _learn(
        self, episode: Episode, tried: Solved | Unsolved, earlier: tuple[str, ...], others: Iterator[str]
    ) -> tuple[str, ...]:
        """The reflection after a failed trial; none if the model gives none or refuses, or there is to be none."""
        match self.config.reflections:
            case "own":
                return await _look_back(episode, tried, earlier)
            case "none":
                return ()
            case "swapped":
                return await self._learn_elsewhere(episode, others)

    async def _learn_elsewhere(self, episode: Episode, others: Iterator[str]) -> tuple[str, ...]:
        """The reflection on a failed first trial of another task; none if all that are left are solved."""
        for name in others:
            elsewhere = await _opened(episode, Task(name=name, seed=episode.task.seed))
            tried = await self._trial(elsewhere, elsewhere.session)
            if tried.session is not None:
                await episode.ask(Close(session=tried.session))
            if not has_succeeded(elsewhere, tried):
                return await _look_back(elsewhere, tried)
        return ()

    def _others(self, episode: Episode) -> Iterator[str]:
        """The other tasks in random order, each once in an episode."""
        names = sorted({*self.further_tasks()} - {episode.task.name})
        episode.random().shuffle(names)
        return iter(names)


async def _look_back(episode: Episode, tried: Solved | Unsolved, earlier: tuple[str, ...] = ()) -> tuple[str, ...]:
    request = LookBack(
        setting=episode.setting,
        goal=episode.goal,
        turns=tried.turns,
        reason=_failure(tried),
        earlier=earlier,
    )
    looked = await episode.unless_refused(episode.ask, request)
    return (looked.reflection,) if isinstance(looked, LookedBack) else ()


async def _opened(episode: Episode, task: Task) -> Episode:
    """The same episode at another task. It is shown the demonstrations of its own."""
    opened = await episode.ask(Open(task=task))
    return replace(episode, task=task, session=opened.session, setting=opened.setting, goal=opened.goal, subgoal=False)


def _failure(tried: Solved | Unsolved) -> str:
    """Why a trial failed: where its world ended it, with how much of the reward."""
    if tried.done:
        return done_reason(tried.reward)
    return tried.reason if isinstance(tried, Unsolved) else _FALSE_CLAIM
