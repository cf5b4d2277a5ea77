"""Makes the worlds that are named, and serves them on a port of this process."""

import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from quintet.config import plugins
from quintet.config.sections import EnvironmentSection
from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.plugins.brought import BroughtObject, bringing
from quintet.plugins.objects import find_object
from quintet.serving.access import required_token
from quintet.serving.server import serve
from quintet.world_server.server import WorldServer
from quintet.world_server.sessions import SessionLimits


@asynccontextmanager
async def serve_named(
    worlds: Sequence[object],
    options: Mapping[str, Mapping[str, Any]],
    *,
    host: str,
    port: int,
    key: str | None,
    limits: SessionLimits,
) -> AsyncGenerator[str, None]:
    """Serve worlds on this event loop, until the context ends; see `quintet.api.serve_worlds`."""
    token = required_token(host, key)
    brought, sections = _sections(worlds, options)
    with bringing(brought):
        made = [plugins.make_world(section) for section in sections]
        server = WorldServer(made, limits=limits, token=token)
        try:
            async with serve(server.application(), host=host, port=port) as address:
                yield address
        finally:
            await server.aclose()


def _sections(
    worlds: Sequence[object], options: Mapping[str, Mapping[str, Any]]
) -> tuple[list[BroughtObject], list[EnvironmentSection]]:
    """What is brought in place of names, and the settings of each world."""
    brought: list[BroughtObject] = []
    named: dict[str, Mapping[str, Any]] = {}
    for each in worlds:
        found = find_object("environment", each)
        if found is None:
            name, own = catalogue.split_name("environment", str(each))
        else:
            name, own = found.name, {}
            brought += [] if found.brought is None else [found.brought]
        if name in named:
            raise UsageError(f"worlds: expected each once, got {name} twice")
        named[name] = own
    if unknown := sorted(options.keys() - named.keys()):
        raise UsageError(f"{unknown[0]}: expected options of {' or '.join(named)}, got those of another world")
    with bringing(brought):
        return brought, [_section(name, {**own, **options.get(name, {})}) for name, own in named.items()]


def _section(name: str, options: Mapping[str, Any]) -> EnvironmentSection:
    variables = plugins.world_variables(name).items()
    from_variables = {option: os.environ[variable] for option, variable in variables if os.environ.get(variable)}
    return plugins.validate(EnvironmentSection, {**from_variables, **options, "name": name}, "environment")
