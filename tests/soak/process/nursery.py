"""A process that has imported everything and forks those of scenarios: a seed a line in, a verdict a line out."""

import atexit
import gc
import os
import shutil
import socket
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from msgspec.structs import replace

from tests.command import command
from tests.soak.forking import answer_seeds
from tests.soak.process.checks import judge
from tests.soak.process.configurations import Configuration
from tests.soak.process.draw import Life, Scenario, draw
from tests.soak.process.endpoint import EndpointProcess
from tests.soak.process.found import Came, came
from tests.soak.process.life import OUTPUT
from tests.soak.process.lives import INTERRUPTED, new_folder
from tests.soak.process.play import Player
from tests.soak.scenario import Verdict

SHOW_OUTPUT = "SOAK_SHOW_OUTPUT"
"""A variable; set: what its commands printed stands beside what a scenario found."""
_PORTS = range(20_000, 32_000)
"""Below those that the system gives to clients, so that no client can connect to itself there."""


class Nursery:
    """Checks scenarios one after the other.

    Args:
        folder: temporary, of this process alone.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = _free_port()
        self._whole: dict[Configuration, Came] = {}
        """What undisturbed runs came to."""
        self._loaded = set[str]()
        """Worlds."""

    def _load(self, world: str) -> None:
        """Import what commands import, and load a world, once for all processes."""
        if world in self._loaded:
            return
        folder = self.new_folder("load")
        endpoint = EndpointProcess(folder, self.port, "")
        endpoint.start()
        url = f"http://127.0.0.1:{self.port}/v1"
        words = ("eval", "react:max_steps=1", world, "--tasks", "1", "--model", "random", "--model-url", url)
        command(*words, "--out", folder / world, code=0)
        endpoint.stop()
        shutil.rmtree(folder)
        self._loaded.add(world)

    def check(self, seed: int) -> Verdict:
        """Play the scenario of a seed, and hold it to its promises."""
        scenario = draw(seed)
        whole = self.undisturbed(scenario.configuration)
        gc.collect()
        gc.freeze()  # so that a fork shares what is here, and its collections pass over it
        folder = self.new_folder(f"{seed}")
        played = Player(scenario, folder, self.port, whole).play()
        found = judge("process", scenario, whole, played, folder)
        if found.broken and SHOW_OUTPUT in os.environ:
            output = f"output: {(folder / OUTPUT).read_text()[-2_000:]}"
            found = replace(found, broken=(*found.broken, output))
        shutil.rmtree(folder)
        return found

    def undisturbed(self, configuration: Configuration) -> Came:
        """What an undisturbed run of it, in one process, comes to."""
        if configuration not in self._whole:
            self._whole[configuration] = self._play_undisturbed(configuration)
        return self._whole[configuration]

    def _play_undisturbed(self, configuration: Configuration) -> Came:
        self._load(configuration.world)
        scenario = Scenario(seed=0, configuration=configuration, concurrency=1, lives=(Life(),))
        folder = self.new_folder("undisturbed")
        played = Player(scenario, folder, self.port, None).play()
        suspended = played.endings[:-1]  # by a model of whose first answers none can be read: once, and it may go on
        assert set(suspended) <= {INTERRUPTED}, (configuration, played.endings, (folder / OUTPUT).read_text()[-2_000:])
        found = came(played.endings[-1], folder)
        shutil.rmtree(folder)
        return found

    def new_folder(self, name: str) -> Path:
        """A folder for a scenario."""
        return new_folder(self._folder / name, ("random", "sim-weak"))


def _free_port() -> int:
    chance = Random()
    while True:
        port = chance.choice(_PORTS)
        with socket.socket() as trying:
            try:
                trying.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


@cache
def own_nursery() -> Nursery:
    """A nursery in this process, which other kinds share; its folder ends with it."""
    folder = tempfile.TemporaryDirectory(prefix="soak-")
    atexit.register(folder.cleanup)
    os.environ |= {"OPENAI_API_KEY": "none", "NO_COLOR": "1"}
    return Nursery(Path(folder.name))


if __name__ == "__main__":
    answer_seeds(lambda folder: Nursery(folder).check)
