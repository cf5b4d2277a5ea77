"""Devil's Advocate: a plan, remedies thought of before each action, alignment after it, and plan revision."""

from pathlib import Path

from quintet.messages.execution import Retarget
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.plan_trials import PlanTrialMethod, make_trials
from quintet.methods.devils_advocate.questions import REQUESTS


class DevilsAdvocate(PlanTrialMethod[DevilsAdvocateConfig]):
    """Makes a plan and pursues it step by step; before each action it thinks of remedies, which it goes back to.

    Solved if its model judges that the task is completed, whatever the world says.

    Source: Devil's Advocate (Wang et al., 2024), algorithm 1; no code was released.
    """

    name = "devils_advocate"
    version = "2"
    requests = (*REQUESTS, Retarget)
    prompt_folders = (Path(__file__).parent / "prompts",)
    worlds = {"textcraft": {}, "alfworld": {}, "hotpotqa": {}, "webarena": {}}
    environments = {"webshop": {"clicks": "page"}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        remedies, speculate = self.config.remedies, self.config.speculate
        return await make_trials(episode, self.config, remedies=remedies, speculate=speculate)

    def needs_forks(self) -> bool:
        return self.config.speculate

    def needs_snapshots(self) -> bool:
        return self.config.remedies > 0
