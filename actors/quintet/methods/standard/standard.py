"""Standard: the executor runs once and acts without thoughts."""

from collections.abc import Mapping
from pathlib import Path

from quintet.messages.execution import Execute
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.demonstrations import demonstrations, rewrite_demonstrations, without_thoughts
from quintet.methods.react.react import React


class Standard(Method[ReactConfig]):
    """Actions alone, after worked examples of actions alone.

    Source: LDM2, section 4.2 (Standard); ReAct (Yao et al., 2023), whose ablation it is there called Act. Differs: the
    model may claim that it is done, as in ReAct here.
    """

    name = "standard"
    version = "2"
    requests = (Execute,)
    prompt_folders = (Path(__file__).parent / "prompts", *React.prompt_folders)
    worlds = React.worlds
    environments = React.environments

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.execute(
            parts=rewrite_demonstrations(without_thoughts, episode.parts),
            max_calls=self.config.max_steps,
            patience=self.config.patience,
            thoughts=False,
        )

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        return demonstrations(self.config.demonstrations, metadata)

    def describe(self) -> Description:
        return Description(budget=str(self.config.max_steps))

    def most_calls(self) -> int:
        return self.config.max_steps
