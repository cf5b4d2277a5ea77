"""A server of OpenEnv's own classes: `python -m tests.actors.environments.openenv.their_server echo|move SESSIONS`.

The package has no environment in its wheel; these two are the echo of its examples and one whose actions have fields.
"""

import socket
import sys
from typing import Any
from uuid import uuid4

import uvicorn
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State


class Echo(Action):
    message: str


class Echoed(Observation):
    echoed_message: str


class _Counting(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=str(uuid4()), step_count=0)

    @property
    def state(self) -> State:
        return self._state


class EchoEnvironment(_Counting):
    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Echoed:
        self._state = State(episode_id=episode_id, step_count=0)
        return Echoed(echoed_message=f"Ready, {seed}.")

    def step(self, action: Echo, **_: Any) -> Echoed:
        if action.message == "crash":
            raise RuntimeError("the echo is gone")
        self._state.step_count += 1
        won = action.message == "win"
        return Echoed(echoed_message=action.message, reward=float(won), done=won)


class Move(Action):
    by: int
    note: str = ""


class Moved(Observation):
    at: int
    trail: list[int] = []


class MoveEnvironment(_Counting):
    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Moved:
        self._trail = [seed or 0]
        return Moved(at=self._trail[-1])

    def step(self, action: Move, **_: Any) -> Moved:
        self._trail.append(self._trail[-1] + action.by)
        at = self._trail[-1]
        return Moved(at=at, trail=self._trail, reward=float(at == 10), done=at >= 10)


KINDS = {"echo": (EchoEnvironment, Echo, Echoed), "move": (MoveEnvironment, Move, Moved)}


def main(kind: str, sessions: int) -> None:
    """Print the address, and serve until the process ends."""
    application = create_fastapi_app(*KINDS[kind], max_concurrent_envs=sessions)
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(application, log_level="critical", ws="websockets-sansio", backlog=4096)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
