"""Try Again: the executor's whole run several times, and the best by reward."""

from collections.abc import Mapping

from quintet.messages.environment import Session
from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.trials import Start, keep_best
from quintet.methods.react.demonstrations import demonstrations
from quintet.methods.react.react import React
from quintet.methods.try_again.config import TryAgainConfig
from quintet.ports.model import SamplingOverride


class TryAgain(Method[TryAgainConfig]):
    """Trials of the executor, each in a session of its own, and the one with the greatest reward; the first of equals.

    Source: ADaPT, section 4.2 (Try Again with ReAct) and appendix A. Differs: a full reward ends the trials, since no
    later one could be better.
    """

    name = "try_again"
    version = "2"
    requests = (Execute,)
    prompt_folders = React.prompt_folders
    worlds = {
        "textcraft": {"trials": 4, "patience": 8},
        "alfworld": {"trials": 3, "patience": 5, "demonstrations": "hybrid"},
    }

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        start = await Start.of(episode, trials=self.config.trials)
        best = await self._trial(episode, episode.session)
        episode.offer(best)
        episode.journal_trial(number=1, actions=len(best.turns), reward=best.reward)
        for number in range(2, self.config.trials + 1):
            if best.reward >= 1:
                break
            again = await self._trial(episode, await start.open(), self.config.sampling)
            episode.journal_trial(number=number, actions=len(again.turns), reward=again.reward)
            best = await keep_best(episode, best, again)
        return best

    def oracle(self) -> str:
        return "it takes the trial with the greatest reward"

    def needs_forks_as_inner(self) -> bool:
        return self.config.trials > 1

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...]:
        return demonstrations(self.config.demonstrations, metadata)

    def budget(self) -> str:
        return f"{self.config.trials} x {self.config.executor_calls}"

    async def _trial(
        self, episode: Episode, session: Session, sampling: SamplingOverride | None = None
    ) -> Solved | Unsolved:
        return await episode.execute(
            session=session,
            max_calls=self.config.executor_calls,
            patience=self.config.patience,
            sampling=sampling,
        )
