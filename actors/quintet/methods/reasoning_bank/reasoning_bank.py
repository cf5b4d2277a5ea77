"""ReasoningBank: one attempt at a task, several at once, or one after the other, each of which checks the last."""

from collections.abc import Sequence
from typing import assert_never

from quintet.messages.environment import Close
from quintet.messages.execution import Turn
from quintet.messages.parts import FreeText
from quintet.messages.reflection import Choose
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description
from quintet.methods.base.notes_learner import NotesMethod
from quintet.methods.base.trials import TrialStart, choose_trial, with_processes
from quintet.methods.reasoning_bank.config import ReasoningBankConfig
from quintet.methods.reasoning_bank.learning import ReasoningBankLearner
from quintet.methods.search.search import Search
from quintet.roles.conversations import paragraphs
from quintet.roles.turn_text import turns_as_texts

_CHECK = (
    "Go through this attempt again, critically, before you act: is everything that the goal asks for done, and was "
    "every action right? You now begin anew, and nothing of it has happened. Do again what was right, and do better "
    "what was wrong or missing."
)


class ReasoningBank(NotesMethod[ReasoningBankConfig]):
    """Attempts every task by its inner method, which is shown the notes; with scaling several times, without rewards.

    Source: ReasoningBank (Ouyang et al., 2025), with memory-aware test-time scaling (MaTTS). Differs: see README.md.
    """

    name = "reasoning_bank"
    version = "1"
    requests = (Choose,)
    prompt_folders = Search.prompt_folders
    learner = ReasoningBankLearner

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        match self.config.scaling:
            case "none":
                attempts: Sequence[Solved | Unsolved] = (answer := await episode.attempt(),)
            case "parallel":
                attempts = await self._at_once(episode)
                answer = await choose_trial(episode, attempts)
            case "sequential":
                attempts = await self._refined(episode)
                answer = attempts[-1]
            case _:
                assert_never(self.config.scaling)
        if self.config.number > 1:
            for number, each in enumerate(attempts, 1):
                episode.journal_trial(number=number, actions=len(each.turns), reward=each.reward)
        return with_processes(episode, answer, attempts)

    async def _at_once(self, episode: Episode) -> Sequence[Solved | Unsolved]:
        start = await TrialStart.of(episode, trials=self.config.number)

        async def attempt(number: int) -> Solved | Unsolved:
            session = await start.open() if number else episode.session
            return await episode.attempt(session=session, sampling=self.config.sampling)

        async with episode.branches() as group:
            begun = [group.start(attempt, number) for number in range(self.config.number)]
        attempts = [branch.result() for branch in begun]
        episode.offer(attempts[0])
        return attempts

    async def _refined(self, episode: Episode) -> Sequence[Solved | Unsolved]:
        start = await TrialStart.of(episode, trials=self.config.number)
        attempts = [await episode.attempt()]
        episode.offer(attempts[0])
        while len(attempts) < self.config.number:
            before = attempts[-1]
            if before.session is not None:
                await episode.ask(Close(session=before.session))
            earlier = FreeText(text=_earlier(before.turns))
            attempts.append(await episode.attempt(session=await start.open(), parts=(*episode.inherited, earlier)))
            episode.offer(attempts[-1])
        return attempts

    def describe(self) -> Description:
        chosen = {
            "none": "",
            "parallel": f"the model chooses one of {self.config.attempts} attempts; it sees no reward",
            "sequential": f"the last of {self.config.attempts} attempts, each of which checks the one before",
        }
        best_of = chosen[self.config.scaling] if self.config.number > 1 else ""
        return Description(budget=self.budget_of_attempts(self.config.number), best_of=best_of)

    def most_calls(self) -> int | None:
        attempts = self.most_calls_of_attempts(self.config.number)
        # A choice that cannot be read is asked for twice.
        return None if attempts is None else attempts + 2 * (self.config.scaling == "parallel")


def _earlier(turns: Sequence[Turn]) -> str:
    return paragraphs("Your earlier attempt at this task:", *turns_as_texts(turns), _CHECK)
