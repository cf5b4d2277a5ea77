"""Plan+Act: a plan, one action after the other, and plan revision; nothing is gone back on."""

from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.config import PlanTrialConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.devils_advocate.plan_trials import PlanTrialMethod, make_trials
from quintet.methods.devils_advocate.questions import REQUESTS


class PlanAct(PlanTrialMethod[PlanTrialConfig]):
    """Devil's Advocate without remedies: an action that does not serve its step ends the trial.

    Source: Devil's Advocate (Wang et al., 2024), section 4.1: `Plan + Act` as it is, `Plan + Act w/o reflexion` with
    `revision = false`. The prompts are the same, as there.
    """

    name = "plan_act"
    version = "2"
    requests = REQUESTS
    prompt_folders = DevilsAdvocate.prompt_folders
    worlds = DevilsAdvocate.worlds
    environments = DevilsAdvocate.environments

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await make_trials(episode, self.config)
