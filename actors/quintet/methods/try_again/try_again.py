"""Try Again: several attempts at the whole task, and the best by reward."""

from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.base.trials import TrialStart, has_succeeded, keep_best
from quintet.methods.try_again.config import TryAgainConfig


class TryAgain(Method[TryAgainConfig]):
    """Trials of its inner method, each in a session of its own; the answer is the one with the greatest reward.

    Of equal ones it is the first. At a part of a task, inside another method, a trial that says it is solved comes
    first, and ends the trials.

    Source: ADaPT, section 4.2 (Try Again with ReAct) and appendix A. Differs: a full reward ends the trials, since no
    later one could be better.
    """

    name = "try_again"
    version = "3"
    worlds = {
        "textcraft": {"trials": 4, "inner": {"max_steps": 20}},
        "alfworld": {"trials": 3, "inner": {"max_steps": 20}},
        "hotpotqa": {"trials": 3, "inner": {"max_steps": 7}},
        "webshop": {"trials": 3, "inner": {"max_steps": 15}},
        "webarena": {"trials": 3, "inner": {"max_steps": 30}},
    }
    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        start = await TrialStart.of(episode, trials=self.config.trials)
        best = await episode.attempt()
        episode.offer(best)
        episode.journal_trial(number=1, actions=len(best.turns), reward=best.reward)
        for number in range(2, self.config.trials + 1):
            if has_succeeded(episode, best):
                break
            again = await episode.attempt(session=await start.open(), sampling=self.config.sampling)
            episode.journal_trial(number=number, actions=len(again.turns), reward=again.reward)
            best = await keep_best(episode, best, again)
        return best

    def describe(self) -> Description:
        budget = self.budget_of_attempts(self.config.trials)
        return Description(budget=budget, oracle="it takes the trial with the greatest reward")

    def needs_snapshots_as_inner(self) -> bool:
        return self.config.trials > 1

    def most_calls(self) -> int | None:
        return self.most_calls_of_attempts(self.config.trials)
