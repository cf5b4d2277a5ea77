"""A process that has prepared the runs and forks those of scenarios: a seed a line in, a verdict a line out."""

import asyncio
import gc
import os
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from quintet.cli.flags import EvaluationFlags, LearningFlags
from quintet.config.settings import Setting
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import Prepared, prepare
from quintet.plugins import objects
from quintet.plugins.definitions import user_parts
from quintet.plugins.sources import read_sources
from quintet.serving.models import served_models
from tests.soak.forking import answer_seeds
from tests.soak.kill.draw import draw
from tests.soak.kill.in_flight import lost_calls
from tests.soak.kill.model import LoggedModel
from tests.soak.kill.play import Player
from tests.soak.process.checks import judge
from tests.soak.process.configurations import Configuration
from tests.soak.process.draw import Life, Scenario
from tests.soak.process.found import Came, came
from tests.soak.process.life import OUTPUT
from tests.soak.process.lives import INTERRUPTED, new_folder
from tests.soak.scenario import Verdict


class _Known(NamedTuple):
    """A configuration that was played."""

    prepared: Prepared
    whole: Came
    """What its undisturbed run came to."""


class Nursery:
    """Checks scenarios one after the other.

    Args:
        folder: temporary, of this process alone.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        served = {**served_models("random"), **served_models("sim-weak")}
        self._models = {name: LoggedModel(name, served[name]) for name in ("random", "sim-weak")}
        for model in self._models.values():
            model.log = os.open(os.devnull, os.O_WRONLY)
        self._known: dict[Configuration, _Known] = {}
        for function in (read_sources, user_parts):  # of the models, which no fork changes
            setattr(objects, function.__name__, cache(function))

    def check(self, seed: int) -> Verdict:
        """Play the scenario of a seed, and hold it to its promises."""
        scenario = draw(seed)
        known = self._play_undisturbed(scenario.configuration)
        folder = self._new_folder(f"{seed}")
        model = self._models[scenario.configuration.model]
        played = Player(scenario, folder, known.prepared, model, known.whole).play()
        played.broken += lost_calls(scenario, played, folder)
        found = judge("kill", scenario, known.whole, played, folder)
        if found.broken and (folder / OUTPUT).exists():
            output = f"output: {(folder / OUTPUT).read_text()[-2_000:]}"
            found = replace(found, broken=(*found.broken, output))
        shutil.rmtree(folder)
        return found

    def _play_undisturbed(self, configuration: Configuration) -> _Known:
        """Prepare and play a run, once, before the forks that share what that loads."""
        if configuration in self._known:
            return self._known[configuration]
        model = self._models[configuration.model]
        prepared = self._prepare(configuration, model)
        asyncio.run(_run_in_memory(prepared))  # loads what every fork would load for itself
        gc.collect()
        gc.freeze()  # so that a fork shares what is here, and its collections pass over it
        scenario = Scenario(seed=0, configuration=configuration, concurrency=1, lives=(Life(),))
        folder = self._new_folder("undisturbed")
        played = Player(scenario, folder, prepared, model, None).play()
        suspended = played.endings[:-1]  # by a model of whose first answers none can be read: once, and it may go on
        assert set(suspended) <= {INTERRUPTED}, (configuration, played.endings, (folder / OUTPUT).read_text())
        self._known[configuration] = _Known(prepared, came(played.endings[-1], folder))
        shutil.rmtree(folder)
        return self._known[configuration]

    def _prepare(self, configuration: Configuration, model: LoggedModel) -> Prepared:
        flags = LearningFlags if configuration.learning else EvaluationFlags
        chosen = flags(
            tasks=str(configuration.tasks), seed=configuration.seed, assignments=tuple(configuration.assignments)
        )
        layers = chosen.layers({}, method=configuration.method, environment=configuration.world)
        return prepare([*layers, {"model.name": Setting(model, "the soak")}])

    def _new_folder(self, name: str) -> Path:
        return new_folder(self._folder / name, tuple(model.name for model in self._models.values()))


async def _run_in_memory(prepared: Prepared) -> None:
    async with open_evaluation(prepared) as evaluation:
        async for _ in evaluation.run(evaluation.left()):
            pass


if __name__ == "__main__":
    answer_seeds(lambda folder: Nursery(folder).check, in_memory=True)
