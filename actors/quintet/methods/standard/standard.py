"""Standard: the executor runs once and acts without thoughts."""

from pathlib import Path

from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description
from quintet.methods.react.demonstrations import rewrite_demonstrations, without_thoughts
from quintet.methods.react.react import React


class Standard(React):
    """Actions alone, after worked examples of actions alone; all else is ReAct's.

    Source: LDM2, section 4.2 (Standard); ReAct (Yao et al., 2023), whose ablation it is there called Act. Differs: the
    model may claim that it is done, as in ReAct here, unless `claims` is false.
    """

    name = "standard"
    version = "2"
    prompt_folders = (Path(__file__).parent / "prompts", *React.prompt_folders)

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.execute(
            parts=rewrite_demonstrations(without_thoughts, self.shown(episode)),
            max_calls=self.config.max_steps,
            patience=self.config.patience,
            thoughts=False,
            claims=self.config.claims,
        )

    def describe(self) -> Description:
        return Description(budget=str(self.config.max_steps))
