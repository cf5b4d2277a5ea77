"""Run folders of somebody else, whose records name a trap in every setting that can do anything."""

import json
import socket
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.deploy import samples
from tests.deploy.samples import Went
from tests.distributions import install

SECRET = "SECRET_OF_ANOTHER"
"""The variable of a key that was meant for another address."""


class Traps(NamedTuple):
    """A program, modules, files and an address that notice when they are touched."""

    folder: Path
    server: socket.socket

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.getsockname()[1]}/v1"

    @property
    def program(self) -> Path:
        return self.folder / "program"

    @property
    def module(self) -> Path:
        return self.folder / "trap_module.py"

    def file(self, name: str) -> Path:
        return self.folder / name

    def expect_untouched(self) -> None:
        """Nothing ran or was imported, and nobody asked the server."""
        assert not (self.folder / "touched").exists()
        with pytest.raises(BlockingIOError):
            self.server.accept()


@contextmanager
def set_traps(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Traps]:
    folder.mkdir()
    touched = folder / "touched"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        traps = Traps(folder, server)
        traps.program.write_text(f"#!/bin/sh\ntouch {touched}\n")
        traps.program.chmod(0o755)
        traps.module.write_text(f"open({str(touched)!r}, 'w').close()\n")
        for name in ("tasks.json", "sites.toml", "pages.zip", "games", "model.gguf"):
            traps.file(name).write_text("{}")
        monkeypatch.setattr("sys.path", [str(folder), *sys.path])
        monkeypatch.setenv(SECRET, "sk-secret")
        plug_ins = {kind: {f"their-{kind}": "trap_module:Trap"} for kind in ("methods", "models", "embedders")}
        install(folder, monkeypatch, {**plug_ins, "environments": {"their-environments": "trap_module:Trap"}})
        yield traps


class Stranger(NamedTuple):
    """What a record has in place of the settings of a run in TextCraft."""

    settings: Mapping[str, Any]
    """By dotted key below `configuration`, as the record has them."""
    traps: Mapping[str, str]
    """By the names that `every_setting` has, what a refusal says of each."""
    code: tuple[str, str, str] | None = None
    """Kind, name and origin of an object in place of a name."""


def strangers(traps: Traps) -> dict[str, Stranger]:
    """Folders that name all traps between them."""
    asked = f'send requests to "{traps.url}", with the secret in {SECRET}'
    endpoint = {"name": "m", "url": traps.url, "key": SECRET}
    web = ("tasks.json", "sites.toml", "pages.zip")
    return {
        "browser": Stranger(
            {
                "environment": {
                    "name": "webarena",
                    **{file.partition(".")[0]: str(traps.file(file)) for file in web},
                    "reset": f"{traps.program} now",
                    "chromium": str(traps.program),
                },
                "model": {**endpoint, "roles": {"executor": endpoint}},
                "method.inner": {"name": "react", "model": {**endpoint, "roles": {"executor": endpoint}}},
                "memory": {"embedder": endpoint},
                "runtime.address": "127.0.0.1:6379",
                "runtime.env": {"pip": ["evil"], "working_dir": str(traps.folder), "env_vars": {"LD_PRELOAD": "/x.so"}},
            },
            {
                "environment webarena.tasks": f'load "{traps.file("tasks.json")}"',
                "environment webarena.pages": f'load "{traps.file("pages.zip")}"',
                "environment webarena.sites": f'the secrets it names, to the addresses in "{traps.file("sites.toml")}"',
                "environment webarena.reset": f'run "{traps.program} now" (environment.reset)',
                "environment webarena.chromium": f'run "{traps.program}" (environment.chromium)',
                **dict.fromkeys(("model.url", "model.ROLE.url", "memory.embedder.url", "endpoint.key"), asked),
                **dict.fromkeys(("method.inner.model.url", "method.inner.model.ROLE.url"), asked),
                "endpoint that embeds.key": asked,
                "runtime.address": 'send requests to "127.0.0.1:6379"',
                "runtime.env.pip": 'prepare every Ray host with ["evil"]',
                "runtime.env.working_dir": f'prepare every Ray host with "{traps.folder}"',
                "runtime.env.env_vars": 'prepare every Ray host with {"LD_PRELOAD": "/x.so"}',
            },
        ),
        "pages": Stranger(
            {"environment": {"name": "miniwob", "chromium": str(traps.program)}},
            {"environment miniwob.chromium": f'run "{traps.program}" (environment.chromium)'},
        ),
        "scripts": Stranger(
            {"environment": {"name": "shell", "tasks": str(traps.folder)}},
            {"environment shell.tasks": f'load "{traps.folder}"'},
        ),
        "tools": Stranger(
            {
                "environment": {
                    "name": "mcp",
                    "server": f"{traps.program} now",
                    "goal": "g",
                    "check": f"{traps.module}:Mine",
                    "variables": [SECRET],
                    "headers": {"Authorization": SECRET},
                }
            },
            {
                **dict.fromkeys(
                    (f"environment mcp.{name}" for name in ("server", "variables", "headers")),
                    f'run, or send requests to, "{traps.program} now", with the secret in {SECRET}',
                ),
                "environment mcp.check": f'import "{traps.module}:Mine" (environment.check)',
            },
        ),
        "server": Stranger(
            {"environment": {"name": "openenv", "address": traps.url, "key": SECRET, "reset": {"path": "/etc"}}},
            {
                **dict.fromkeys(("environment openenv.address", "environment openenv.key"), asked),
                "environment openenv.reset": 'hand over {"path": "/etc"}',
            },
        ),
        "imports": Stranger(
            {
                "environment": {"name": "gym", "id": "trap_module:Trap-v0", "make": {"path": "/etc"}},
                "model": {"name": "bridge", "id": "openai/m", "key": SECRET, "address": traps.url, "extra": {"x": "y"}},
                "method": {"name": "mine", "tries": "many"},
            },
            {
                "environment gym.id": 'import "trap_module:Trap-v0"',
                "environment gym.make": 'hand over {"path": "/etc"}',
                "model bridge.id": f'send requests to "openai/m", with the secret in {SECRET}',
                "model bridge.address": asked,
                "model bridge.key": SECRET,
                "model bridge.extra": 'hand over {"x": "y"}',
                "method.name": f'import "{traps.module}:Mine" (method mine)',
            },
            ("method", "mine", f"{traps.module}:Mine"),
        ),
        "plug-ins": Stranger(
            {
                "environment": {"name": "their-environments", "place": "/x"},
                "model": {"name": "their-models", "roles": {"executor": {"name": "their-models", "at": "/y"}}},
                "method": {
                    "name": "their-methods",
                    "inner": {
                        "name": "their-methods",
                        "model": {"name": "their-models", "roles": {"executor": {"name": "their-models"}}},
                    },
                },
                "memory": {"embedder": {"name": "their-embedders"}},
            },
            {
                "environment.name": 'import "their-environments of acme"',
                **dict.fromkeys(("model.name", "model.ROLE.name"), 'import "their-models of acme"'),
                **dict.fromkeys(
                    ("method.inner.model.name", "method.inner.model.ROLE.name"), 'import "their-models of acme"'
                ),
                "method.inner.name": 'import "their-methods of acme"',
                "memory.embedder.name": 'import "their-embedders of acme"',
            },
        ),
        "files": Stranger(
            {
                "environment": {"name": "alfworld", "data": str(traps.file("games"))},
                "model": {"name": "local", "file": str(traps.file("model.gguf"))},
            },
            {
                "environment alfworld.data": f'load "{traps.file("games")}"',
                "model local.file": f'load "{traps.file("model.gguf")}"',
            },
        ),
    }


def write_stranger(path: Path, stranger: Stranger) -> Path:
    """A run folder with such a record: one episode ended, one is left."""
    samples.write(path, samples.record("react", ("beehive", "stick")), {"beehive": Went()})
    file = path / "run.json"
    record = json.loads(file.read_text())
    for key, value in stranger.settings.items():
        *tables, name = key.split(".")
        table = record["configuration"]
        for each in tables:
            table = table[each]
        table[name] = value
    if stranger.code is not None:
        kind, name, origin = stranger.code
        texts = {"trap_module.py": "0" * 64}
        record["code"] = [
            {"kind": kind, "name": name, "origin": origin, "sha256": "0" * 64, "texts": texts, "git_commit": None}
        ]
    file.write_text(json.dumps(record))
    return path


def nothing_is_approved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder in which nothing is approved yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "quintet" / "approved"
