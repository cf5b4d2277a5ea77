"""What a server says of itself and of its worlds, in OpenEnv's words."""

from collections.abc import Mapping
from typing import Any, Final

from quintet.world_server.served_world import ServedWorld

_VERSION: Final = "1.0.0"
"""Of OpenEnv's HTTP interface; its validator asks for 1.x."""

PATHS: Final[Mapping[str, tuple[str, str]]] = {
    "/health": ("get", "Whether the server runs"),
    "/metadata": ("get", "Name, description and version of the world"),
    "/schema": ("get", "JSON schemas of actions, observations and states"),
    "/state": ("get", "The state of a session before its reset"),
    "/reset": ("post", "How a task begins; a session that goes on is at /ws"),
    "/step": ("post", "One action in the first task; a session that goes on is at /ws"),
    "/mcp": ("post", "JSON-RPC; a world has no tools"),
    "/list_environments": ("get", "Names of the worlds"),
    "/{env_name}/splits": ("get", "Lists of tasks"),
    "/{env_name}/tasks": ("post", "The tasks of a split"),
    "/{env_name}/num_tasks": ("post", "How many they are"),
    "/{env_name}/task": ("post", "One of them, by its index"),
    "/{env_name}/task_range": ("post", "Those from one index to before another"),
}
"""By path: the method, and a summary."""


def metadata(world: ServedWorld) -> dict[str, Any]:
    """What OpenEnv asks of an environment."""
    unsaid = dict.fromkeys(("readme_content", "author", "documentation_url"))
    return {"name": world.name, "description": world.description, "version": world.definition.version, **unsaid}


def openapi(world: ServedWorld) -> dict[str, Any]:
    """The OpenAPI document. `x-quintet` says whether sessions can be forked and written down."""
    extension = {"forks": world.definition.forks != "none", "snapshots": world.definition.takes_snapshots}
    answered = {"200": {"description": "JSON"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": f"OpenEnv: {world.name}", "version": _VERSION, "x-quintet": extension},
        "paths": {path: {way: {"summary": says, "responses": answered}} for path, (way, says) in PATHS.items()},
    }
