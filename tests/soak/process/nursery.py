"""A process that has imported everything and forks those of scenarios: a seed a line in, a verdict a line out."""

import atexit
import gc
import os
import shutil
import socket
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random

import msgspec

from tests.command import command
from tests.soak.process.checks import broken_promises, processes_left, repeated_calls
from tests.soak.process.configurations import Configuration
from tests.soak.process.draw import Life, Scenario, draw
from tests.soak.process.endpoint import EndpointProcess, asked, read_log
from tests.soak.process.found import Came, rewards_of
from tests.soak.process.life import COMMITS, OUTPUT
from tests.soak.process.play import PRICES, USD, Player
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
        player = Player(scenario, folder, self.port, whole)
        played = player.play()
        broken = [*broken_promises(scenario, whole, played, folder)]
        repeated = repeated_calls(played, folder)
        if repeated:
            broken.append(f"calls: expected no committed call to be asked again, got {repeated}")
        if left := processes_left():
            broken.append(f"processes: expected none left, got {', '.join(left)}")
        if broken and SHOW_OUTPUT in os.environ:
            broken.append(f"output: {(folder / OUTPUT).read_text()[-2_000:]}")
        shutil.rmtree(folder)
        return Verdict(
            kind="process",
            seed=seed,
            drawn=scenario.aspects,
            deaths=played.deaths,
            calls=played.left[-1].committed.total(),
            repeated=repeated,
            broken=tuple(broken),
        )

    def undisturbed(self, configuration: Configuration) -> Came:
        """What an undisturbed run of it, in one process, comes to."""
        if configuration not in self._whole:
            self._whole[configuration] = self._play_undisturbed(configuration)
        return self._whole[configuration]

    def _play_undisturbed(self, configuration: Configuration) -> Came:
        self._load(configuration.world)
        scenario = Scenario(seed=0, configuration=configuration, concurrency=1, lives=(Life(),))
        folder = self.new_folder("undisturbed")
        player = Player(scenario, folder, self.port, None)
        played = player.play()
        assert len(played.endings) == 1, (configuration, played.endings, (folder / OUTPUT).read_text()[-2_000:])
        found = played.left[0]
        came = Came(
            code=played.endings[0],
            found=found,
            rewards=rewards_of(player.run),
            commits=int((folder / COMMITS).read_text()),
            requests=asked(read_log(folder)).total(),
            tokens=found.used,
            largest=max(file.stat().st_size for file in player.run.iterdir()),
        )
        shutil.rmtree(folder)
        return came

    def new_folder(self, name: str) -> Path:
        """A folder for a scenario."""
        folder = self._folder / name
        folder.mkdir()
        prices = ("random", "sim-weak")
        tables = (f'["{name}"]\ninput = {USD * 1e6}\noutput = {USD * 1e6}\n' for name in prices)
        (folder / PRICES).write_text("".join(tables))
        return folder


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


def main() -> None:
    """Answer seeds until the other end closes."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        os.environ |= {"OPENAI_API_KEY": "none", "HOME": name, "XDG_STATE_HOME": name, "NO_COLOR": "1"}
        nursery = Nursery(folder)
        for line in sys.stdin:
            answers.write(msgspec.json.encode(nursery.check(int(line))) + b"\n")


if __name__ == "__main__":
    main()
