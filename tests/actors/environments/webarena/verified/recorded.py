"""Ends that a real browser comes to, on sites that answer every address with a page."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec.structs import replace

from quintet.environments.webarena.tasks.schema import WebTask
from quintet.environments.webarena.verified.package import VerifiedRecord
from quintet.environments.webarena.world import WebArena
from quintet.messages.environment import Task
from tests.actors.environments.webarena.live import world_of
from tests.actors.environments.webarena.verified.ends import End, ends, is_request


async def page(request: web.Request) -> web.Response:
    return web.Response(text=f"<title>{request.path}</title>", content_type="text/html")


@asynccontextmanager
async def any_sites(folder: Path) -> AsyncGenerator[WebArena]:
    """The verified world on sites whose every address is a page."""
    application = web.Application()
    application.router.add_get("/{path:.*}", page)
    async with TestServer(application) as server:
        port = server.make_url("/").port
        hosts = {name: f"http://{name}.localhost:{port}" for name in ("shopping", "reddit", "gitlab", "map")}
        sites = {**hosts, "shopping_admin": f"http://office.localhost:{port}/admin"}
        tables = "".join(f'[{name}]\naddress = "{address}"\n' for name, address in sites.items())
        (folder / "sites.toml").write_text(tables, encoding="utf-8")
        async with world_of(sites=folder / "sites.toml", evaluators="verified") as world:
            yield world


def is_visit(record: VerifiedRecord) -> bool:
    """Whether a task asks for nothing but pages at addresses, of sites that are here."""
    checks = [check for check in record.eval if is_request(check)]
    gets = all("headers" not in each.expected and each.expected.get("http_method", "GET") == "GET" for each in checks)
    return record.answer.task_type == "navigate" and gets and "wikipedia" not in record.sites


async def recorded_end(world: WebArena, task: WebTask, record: VerifiedRecord) -> End:
    """What is recorded where a browser loads the pages that the package asks for; addresses are the public ones."""
    (_, made), *_ = ends(task, record)
    session = await world.open(Task(name=task.name, seed=0))
    try:
        for entry in made.trace[1:]:
            outcome = await session.step(f"goto [{entry['request']['url']}]")
            assert not outcome.rejected, (task.name, outcome.observation)
        kept = session._trace  # pyright: ignore[reportPrivateUsage]
        assert kept is not None
        recorded = msgspec.json.encode(await kept.entries()).decode()
        trace = msgspec.json.decode(session.addresses.shown(recorded))
        last_url = session.addresses.shown(session._window.last_url)  # pyright: ignore[reportPrivateUsage]
    finally:
        await session.close()
    return replace(made, trace=trace, last_url=last_url)
