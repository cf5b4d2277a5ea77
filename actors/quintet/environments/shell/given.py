"""What a task gives, as layers: the files of its folder, and those of its check."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from quintet.environments.shell.host import ShellHost
from quintet.environments.shell.layers import Layer
from quintet.environments.shell.sandbox import GIVEN_TIME
from quintet.environments.shell.task_folder import GivenFile, TaskFolder
from quintet.environments.shell.tree import measure


class GivenLayers(NamedTuple):
    """Nobody writes to them."""

    base: Layer
    tests: Layer


def given_layers(host: ShellHost, task: TaskFolder) -> GivenLayers:
    """The layers of a task: copies, since whoever runs commands may not be allowed to read the task's own folder.

    Raises:
        UsageError: a file cannot be read.
    """
    return GivenLayers(_layer(host, task.files()), _layer(host, task.test_files()))


def _layer(host: ShellHost, files: Iterable[GivenFile]) -> Layer:
    layer = Layer(host)
    places = [layer.top]
    for file in files:
        place = layer.top / file.path
        places.append(place)
        if file.content is None:
            place.mkdir(exist_ok=True)
        else:
            place.write_bytes(file.content)
            place.chmod(0o755 if file.executable else 0o644)
        host.own(place)
    for place in reversed(places):
        if place.is_dir():
            place.chmod(0o755)
        os.utime(place, (GIVEN_TIME, GIVEN_TIME))
    layer.usage = measure(layer.top)
    return layer
