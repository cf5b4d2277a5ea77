"""What GEPA's package asks of us: candidates played on tasks, what was seen there, and new texts of prompts."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gepa.core.adapter import EvaluationBatch

from quintet.config.methods import method_configs
from quintet.config.settings import Settings
from quintet.plugins.brought import bringing
from quintet.prompt_optimizer.arms import REFLECTION, Arms, Halted, Unprepared
from quintet.prompt_optimizer.candidates import PromptCandidate, PromptCandidates
from quintet.prompt_optimizer.played import NewText, Played, read_new_text, read_played
from quintet.prompt_optimizer.prompt_files import PROMPTS, write_texts
from quintet.reports.text_tables import plural


class Adapter:
    """Answers the package from the arms of one folder, and runs those that are not there.

    The package is deterministic: given its seed, the rewards and the new texts, it asks the same in the same order. So
    a start that goes on asks everything again, and what the folder has is neither played nor asked of a model again.
    """

    def __init__(self, arms: Arms) -> None:
        self._arms = arms
        self._about = arms.optimization
        self.candidates = PromptCandidates(self._about.prompts)
        self.written: list[NewText] = []
        """What each reflection gave so far."""

    def evaluate(
        self, batch: list[str], candidate: dict[str, str], capture_traces: bool = False
    ) -> "EvaluationBatch[str, float]":
        """The rewards of a candidate in tasks, with what was seen if that is asked for."""
        with _halting():
            played = self.play(self.candidates.of(candidate), batch)
        rewards = [each.reward for each in played]
        traces = [each.trace for each in played] if capture_traces else None
        return EvaluationBatch(outputs=rewards, scores=rewards, trajectories=traces)

    def make_reflective_dataset(
        self, candidate: dict[str, str], eval_batch: "EvaluationBatch[str, float]", components_to_update: list[str]
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """What a reflection is shown of each prompt: all that was seen."""
        examples = [{"example": trace} for trace in eval_batch.trajectories or ()]
        return dict.fromkeys(components_to_update, examples)

    def propose_new_texts(
        self,
        candidate: dict[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: list[str],
    ) -> dict[str, str]:
        """New texts of prompts; those of which a reflection gave none are left out."""
        with _halting():
            parent = self.candidates.of(candidate)
            found: dict[str, str] = {}
            for name in components_to_update:
                examples = [str(each["example"]) for each in reflective_dataset[name]]
                text = self._rewrite(name, candidate[name], examples)
                if text is not None:
                    found[name] = text
            if found:
                self.candidates.add({**candidate, **found}, parent, ", ".join(found))
            return found

    def play(self, candidate: PromptCandidate, tasks: Sequence[str], purpose: str = "") -> list[Played]:
        """A candidate's episodes at tasks, each played once.

        Args:
            purpose: what the arm is named by, in place of a number.
        """
        left = [task for task in dict.fromkeys(tasks) if task not in candidate.played]
        if left and not candidate.unusable:
            candidate.arms += not purpose
            arm = f"{candidate.name}-{purpose or candidate.arms}"
            label = f"candidate {candidate.name}, {plural(len(left), 'task')}"
            try:
                run = self._arms.run(
                    arm, self._about.played, {"run.tasks": left}, label, lambda: self._write(candidate)
                )
            except Unprepared as error:
                if candidate is self.candidates.start:
                    raise
                candidate.unusable = str(error)
            else:
                candidate.played |= read_played(run)
        unusable = Played(0.0, f"The prompt cannot be used: {candidate.unusable}")
        return [candidate.played.get(task, unusable) for task in tasks]

    def _rewrite(self, name: str, text: str, examples: list[str]) -> str | None:
        number = len(self.written) + 1
        config = self._about.reflecting
        own = {
            "run.seed": config.run.seed + number,  # above temperature 0, the same question is another draw
            "environment.before": text,
            "method.prompt": name,
            "method.text": text,
            "method.examples": examples,
        }
        run = self._arms.run(f"{REFLECTION}-{number}", config, own, f"reflection {number}, prompt {name}")
        written = read_new_text(run)
        self.written.append(written)
        return written.text

    def _write(self, candidate: PromptCandidate) -> Settings:
        start = self._about.prompts
        changed = {name: text for name, text in candidate.texts.items() if text != start[name]}
        place = self._arms.folder.path / PROMPTS / candidate.name
        with bringing(self._arms.folder.objects):
            return write_texts(place, method_configs(self._about.played), self._about.played.environment.name, changed)


@contextmanager
def _halting() -> Generator[None, None, None]:
    """Let no exception of ours reach the package, which would take it for a failed proposal and go on."""
    try:
        yield
    except Exception as error:
        raise Halted(error) from error
