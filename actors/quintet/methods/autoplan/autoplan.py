"""AutoPlan: the executor runs once, with the plan, and thinks before it acts."""

from collections.abc import Mapping
from pathlib import Path

from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.autoplan.config import AutoPlanConfig
from quintet.methods.autoplan.learning import AutoPlanLearner
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.react.demonstrations import demonstrations, rewrite_demonstrations, without_claims
from quintet.methods.react.react import React


class AutoPlan(Method[AutoPlanConfig]):
    """Pursues the goal by the plan, which is a prompt part; without one, by the task's description alone.

    Source: AutoPlan, section 3.2.1, equations 2 to 5, one turn of the executor each. Differs: an episode is solved if
    the world is done with the full reward, unless the model claims otherwise; patience (ours).
    """

    name = "autoplan"
    version = "3"
    requests = (Execute,)
    prompt_folders = (Path(__file__).parent / "prompts", *React.prompt_folders)
    worlds = {
        "alfworld": {},
        "textcraft": {"max_steps": 40},
        "hotpotqa": {"max_steps": 10},
        "webshop": {"max_steps": 15},
        "webarena": {"max_steps": 30},
    }
    environments = {"alfworld": {"causes": True}, "hotpotqa": {"wording": "autoplan", "max_steps": 10}}
    learner = AutoPlanLearner

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.execute(
            # This executor must not claim anything.
            parts=rewrite_demonstrations(without_claims, episode.parts),
            max_calls=self.config.max_steps,
            patience=self.config.patience or self.config.max_steps + 1,
            claims=False,
            formalized=self.config.formalize,
        )

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        return demonstrations(self.config.demonstrations, metadata)

    def describe(self) -> Description:
        return Description(budget=str(self.config.max_steps))

    def most_calls(self) -> int:
        # A turn asks for a thought, an action and its formal words.
        return 3 * self.config.max_steps
