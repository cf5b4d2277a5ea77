"""LDM2: a process for each batch memory, every step from a prompt of its own, and a choice between them."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from quintet.messages.execution import Decide
from quintet.messages.memory import Summarize
from quintet.messages.reflection import Choose
from quintet.messages.solving import DecisionProcess, Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.base.trials import choose_trial
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.methods.ldm2.config import Ldm2Config
from quintet.methods.ldm2.exploration import Exploration
from quintet.methods.ldm2.learning import EXPERT, EXPLORE, Ldm2Learner
from quintet.methods.ldm2.process import act_in_copy
from quintet.methods.ldm2.states import batch_numbers, select_batch
from quintet.methods.search.search import Search


class Ldm2(Method[Ldm2Config]):
    """Plays every batch memory at once, and lets the reflector choose between the processes. It makes no claim.

    Source: LDM2 (Wang, Li and Zeng, 2023), section 3. Differs: see README.md.
    """

    name = "ldm2"
    version = "2"
    requests = (Decide, Summarize, Choose)
    prompt_folders = (Path(__file__).parent / "prompts", *Search.prompt_folders)
    worlds = {
        "textcraft": {},
        "alfworld": {"max_steps": 50, "max_repeats": 3},
        "hotpotqa": {"max_steps": 10, "max_repeats": 3},
        "webshop": {"max_steps": 15},
        "webarena": {"max_steps": 30, "max_repeats": 3},
    }
    environments = {"hotpotqa": {"max_steps": 10}, "webshop": {"clicks": "page"}}
    learner = Ldm2Learner

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        if episode.purpose == EXPERT:
            return await self._follow_expert(episode)
        if episode.purpose == EXPLORE:
            return await Exploration(episode, self.config).run()
        return await self._play(episode)

    async def _play(self, episode: Episode) -> Solved | Unsolved:
        """One process for each batch memory, in a copy of the world.

        Source: LDM2, section 3.1, equation 5.
        """
        async with episode.branches(spread=self.config.spread) as group:
            begun = [group.start(self._process, episode, batch) for batch in batch_numbers(episode)]
        processes = [branch.result() for branch in begun]
        episode.offer(processes[0])
        return await choose_trial(episode, processes)

    async def _process(self, episode: Episode, batch: int) -> Solved | Unsolved:
        parts = await select_batch(episode, batch)
        return await act_in_copy(episode, self.config, parts)

    async def _follow_expert(self, episode: Episode) -> Solved | Unsolved:
        answer = await Expert(ExpertConfig()).solve(episode)
        if isinstance(answer, Unsolved):
            return answer
        process = DecisionProcess(
            goal=episode.goal, setting=episode.setting, session=answer.session.id, reward=answer.reward
        )
        return replace(answer, processes=(process,))

    def describe(self) -> Description:
        best_of = "a process for each batch memory, of which the model chooses one; it sees no reward"
        return Description(budget=f"{self.config.max_steps} a batch memory", best_of=best_of)

    def needs_forks(self) -> bool:
        return True

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...]:
        return ()
