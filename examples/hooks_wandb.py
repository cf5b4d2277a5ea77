"""Follow runs in Weights & Biases: `quintet eval react textcraft --hooks hooks_wandb.py:WandbHook`."""

import wandb

from quintet.api import Hook, RunInfo
from quintet.events import CallMade, EpisodeEnded, Record


class WandbHook(Hook):
    grace_seconds = 60.0  # it uploads when a run ends

    def on_run_begin(self, run: RunInfo) -> None:
        config = run.record.configuration.model_dump(mode="json")
        started = f"{run.record.created:%Y%m%d-%H%M%S-%f}"  # a resume goes on with the same run
        self.run = wandb.init(project="quintet", name=run.name, id=started, config=config, resume="allow")
        self.calls = self.tokens = 0

    def on_call(self, call: CallMade, record: Record) -> None:
        self.calls += 1
        self.tokens += call.completion.usage.prompt_tokens + call.completion.usage.completion_tokens

    def on_episode_end(self, end: EpisodeEnded, record: Record) -> None:
        told = {"reward": end.reward, "success": float(end.reward >= 1), "faulted": float(end.fault is not None)}
        self.run.log({**told, "seconds": record.seconds, "calls": self.calls, "tokens": self.tokens})

    def on_run_end(self, run: RunInfo, lost: int) -> None:
        self.run.finish()
