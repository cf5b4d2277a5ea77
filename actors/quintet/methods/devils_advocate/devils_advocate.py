"""Devil's Advocate: a plan, remedies thought of before each action, alignment after it, and plan revision."""

from pathlib import Path

from quintet.messages.execution import Retarget
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.plan_trials import PlanTrialMethod, make_trials
from quintet.methods.devils_advocate.questions import REQUESTS

_REMEDIES_USED = """id IN (SELECT episode FROM calls WHERE phase LIKE '%remedies') AND id IN (
    SELECT episode FROM (
        SELECT episode, id, line, lag(id) OVER (PARTITION BY episode, line ORDER BY id) AS earlier
        FROM (SELECT episode, id, rtrim(path, '0123456789') AS line FROM steps) AS own
    ) AS step
    WHERE earlier IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM calls WHERE calls.id > earlier AND calls.id < step.id
        AND substr(calls.path, 1, length(line)) = line
        AND (phase LIKE '%remedies' OR phase LIKE '%give_answer')))"""
"""An action that was chosen is preceded by the question for its remedies, and a last answer by that for the answer. So
an action with neither since the one before it is a remedy. One tried ahead of need counts as none."""


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

    mechanisms = {"remedies used": _REMEDIES_USED}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        remedies, speculate = self.config.remedies, self.config.speculate
        return await make_trials(episode, self.config, remedies=remedies, speculate=speculate)

    def needs_forks(self) -> bool:
        return self.config.speculate

    def needs_snapshots(self) -> bool:
        return self.config.remedies > 0
