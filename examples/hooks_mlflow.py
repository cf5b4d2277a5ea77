"""Follow runs in MLflow: `quintet eval react textcraft --hooks hooks_mlflow.py:MlflowHook`."""

import mlflow

from quintet.api import Hook, RunInfo
from quintet.events import CallMade, EpisodeEnded, Record


class MlflowHook(Hook):
    def on_run_begin(self, run: RunInfo) -> None:
        self.calls = self.tokens = self.episodes = 0
        record = run.record
        mlflow.set_experiment("quintet")
        mlflow.start_run(run_name=run.name, tags={"folder": str(run.folder)})
        environment, seed = record.configuration.environment.name, record.configuration.run.seed
        mlflow.log_params({"method": record.method, "environment": environment, "model": record.model, "seed": seed})

    def on_call(self, call: CallMade, record: Record) -> None:
        self.calls += 1
        self.tokens += call.completion.usage.prompt_tokens + call.completion.usage.completion_tokens

    def on_episode_end(self, end: EpisodeEnded, record: Record) -> None:
        self.episodes += 1
        told = {"reward": end.reward, "success": float(end.reward >= 1), "faulted": float(end.fault is not None)}
        mlflow.log_metrics({**told, "calls": self.calls, "tokens": self.tokens}, step=self.episodes)

    def on_run_end(self, run: RunInfo, lost: int) -> None:
        mlflow.end_run()
