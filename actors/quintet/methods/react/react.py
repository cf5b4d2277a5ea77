"""ReAct's conversation: the executor is asked once, with the whole budget."""

from collections.abc import Mapping
from pathlib import Path

from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import verdict
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.demonstrations import demonstrations


async def solve(episode: Episode[ReactConfig]) -> Solved | Unsolved:
    """Pursue the goal by thoughts and actions in turn.

    Source: ReAct (Yao et al., 2023), as the iterative executor-only baseline of ADaPT, section 4.2.
    """
    executed = await episode.executor.ask(
        Execute(
            session=episode.session,
            setting=episode.setting,
            goal=episode.goal,
            parts=episode.parts,
            max_calls=episode.config.max_steps,
            patience=episode.config.patience,
            sampling=episode.sampling,
        )
    )
    return verdict(executed, session=episode.session, depth=episode.depth)


def _shown(config: ReactConfig, metadata: Mapping[str, str]) -> tuple[str, ...]:
    return demonstrations(config.demonstrations, metadata)


def budget(config: ReactConfig) -> str:
    return str(config.max_steps)


REACT = Method(
    name="react",
    version="1",
    config=ReactConfig,
    solve=solve,
    budget=budget,
    demonstrations=_shown,
    roles=("executor",),
    prompt_folders=(Path(__file__).parent / "prompts",),
    worlds={
        "textcraft": {"max_steps": 80, "patience": 8},
        "alfworld": {"max_steps": 60, "patience": 5, "demonstrations": "hybrid"},
    },
)
