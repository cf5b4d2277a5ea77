"""ExpeL: tries training tasks several times, and attempts all others once, with insights and examples."""

from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.notes_learner import NotesMethod
from quintet.methods.base.trials import with_processes
from quintet.methods.expel.config import ExpelConfig
from quintet.methods.expel.learning import GATHER, ExpelLearner
from quintet.methods.reflexion.config import ReflexionConfig
from quintet.methods.reflexion.reflexion import Reflexion


class Expel(NotesMethod[ExpelConfig]):
    """Attempts a task by its inner method; a training task by Reflexion's trials of it.

    Source: ExpeL (Zhao et al., 2023).
    """

    name = "expel"
    version = "1"
    prompt_folders = Reflexion.prompt_folders
    worlds = {
        "textcraft": {"inner": {"max_steps": 20}},
        "alfworld": {"inner": {"max_steps": 20}},
        "hotpotqa": {"inner": {"max_steps": 7}},
        "webshop": {"inner": {"max_steps": 15}},
        "webarena": {},
    }
    learner = ExpelLearner

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        if episode.purpose != GATHER:
            answer = await episode.attempt()
            return with_processes(episode, answer, [answer]) if episode.purpose else answer
        trials = Reflexion(ReflexionConfig(trials=self.config.trials, memory=self.config.memory))
        return await trials.solve(episode)

    def most_calls(self) -> int | None:
        trials = self.most_calls_of_attempts(self.config.trials)
        return None if trials is None else trials + self.config.trials - 1
