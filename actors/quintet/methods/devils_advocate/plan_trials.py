"""Trials of plans: a plan, a trial of it, and after a failure a revised plan.

Source: Devil's Advocate, algorithm 1, lines 1 and 2. Differs: each trial begins in the state in which the first did, as
section 3.3.3 has it; the algorithm prints the state that the last one ended in.
"""

from abc import ABC
from typing import Generic, TypeVar

from quintet.messages.environment import Close
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.base.trials import TrialStart
from quintet.methods.devils_advocate.config import PlanTrialConfig
from quintet.methods.devils_advocate.history import TaskHistory
from quintet.methods.devils_advocate.questions import Questions
from quintet.methods.devils_advocate.trial import Trial

PlanTrialConfigT = TypeVar("PlanTrialConfigT", bound=PlanTrialConfig)


class PlanTrialMethod(Method[PlanTrialConfigT], ABC, Generic[PlanTrialConfigT]):
    """What the methods that make trials of plans have in common."""

    def describe(self) -> Description:
        actions = f"{self.config.max_actions} actions"
        budget = f"{self.config.trials} x {actions}" if self.config.limit_per == "trial" else actions
        several = "trials, of which the first that its model judges to be completed, else the last"
        return Description(budget=budget, best_of=several if self.config.trials > 1 else "")

    def needs_snapshots_as_inner(self) -> bool:
        return self.needs_snapshots() or self.config.trials > 1


async def make_trials(
    episode: Episode, config: PlanTrialConfig, *, remedies: int = 0, speculate: bool = False
) -> Solved | Unsolved:
    """Make trials until the model says that the task is completed, or trials or actions are used up.

    Each trial is journaled and offered. The answer is that of the last one; all other sessions are closed.

    Args:
        remedies: to every action; 0: nothing is gone back on.
        speculate: whether they are tried ahead of need.
    """
    history = TaskHistory()
    questions = Questions(episode, config, remedies, history)
    start = await TrialStart.of(episode, trials=config.trials)
    seen = await questions.opening_seen()
    session, steps = episode.session, await questions.plan(())
    number = 1
    while True:
        most = _actions_left(config, history)
        trial = Trial(episode, session, seen, steps, questions, history, most=most, speculate=speculate)
        answer = await trial.run()
        revised = number > 1 and config.revision
        episode.journal_trial(
            number=number, actions=trial.actions, reward=answer.reward, steps=len(steps), revised=revised
        )
        episode.offer(answer)
        if isinstance(answer, Solved) or number == config.trials or not _actions_left(config, history):
            return answer
        assert answer.session is not None
        await episode.ask(Close(session=answer.session))
        history.undo(0)
        steps = await questions.plan(steps) if config.revision else steps
        session = await start.open()
        number += 1


def _actions_left(config: PlanTrialConfig, history: TaskHistory) -> int:
    return config.max_actions - (0 if config.limit_per == "trial" else history.actions)
