"""AutoPlan's conversation: the executor is asked once, with the plan, and thinks before it acts."""

from collections.abc import Mapping
from pathlib import Path

from quintet.messages.execution import Execute
from quintet.messages.parts import Demonstrations, PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.autoplan.config import AutoPlanConfig
from quintet.methods.autoplan.learning import LEARNING
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import verdict
from quintet.methods.react.demonstrations import demonstrations, without_claim
from quintet.methods.react.react import REACT


async def solve(episode: Episode[AutoPlanConfig]) -> Solved | Unsolved:
    """Pursue the goal by the plan, which is an ingredient like any other; without one, by the task's description alone.

    Source: AutoPlan, section 3.2.1, equations 2 to 5, of which the executor takes a turn each. Differs: what it stands
    by is that the world is done with the reward earned in full, unless the model claims otherwise; patience (ours).
    """
    config = episode.config
    executed = await episode.executor.ask(
        Execute(
            session=episode.session,
            setting=episode.setting,
            goal=episode.goal,
            parts=tuple(map(_unclaimed, episode.parts)),
            max_calls=config.max_steps,
            patience=config.patience or config.max_steps + 1,
            claims=False,
            formalized=config.formalize,
            sampling=episode.sampling,
        )
    )
    return verdict(executed, session=episode.session, depth=episode.depth)


def _unclaimed(ingredient: PromptPart) -> PromptPart:
    """An ingredient as this executor is shown it, which is not to claim anything."""
    return Demonstrations(text=without_claim(ingredient.text)) if isinstance(ingredient, Demonstrations) else ingredient


def _shown(config: AutoPlanConfig, metadata: Mapping[str, str]) -> tuple[str, ...]:
    return demonstrations(config.demonstrations, metadata)


def budget(config: AutoPlanConfig) -> str:
    return str(config.max_steps)


AUTOPLAN = Method(
    name="autoplan",
    version="2",
    config=AutoPlanConfig,
    solve=solve,
    budget=budget,
    demonstrations=_shown,
    roles=("executor",),
    prompt_folders=(Path(__file__).parent / "prompts", *REACT.prompt_folders),
    worlds={
        "alfworld": {},
        "textcraft": {"max_steps": 40},
    },
    environments={"alfworld": {"causes": True}},
    learning=LEARNING,
)
