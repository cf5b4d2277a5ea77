"""The server: a host's name chooses the site and the instance."""

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest

from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.server import SiteServer


def served(use: Callable[[SiteServer, aiohttp.ClientSession], Awaitable[None]]) -> None:
    async def run() -> None:
        server = SiteServer()
        await server.start()
        async with aiohttp.ClientSession(f"http://127.0.0.1:{server.port}") as client:
            await use(server, client)
        await server.stop()

    asyncio.run(run())


def test_each_instance_has_addresses_of_its_own() -> None:
    async def use(server: SiteServer, client: aiohttp.ClientSession) -> None:
        one, other = server.add(Instance()), server.add(Instance())
        hosts = [server.addresses(number)["shopping"].removeprefix("http://") for number in (one, other)]
        assert hosts[0] == f"shopping.s{one}.localhost:{server.port}"
        async with client.post(
            "/newsletter/subscribe", data={"email": "x@y.example"}, headers={"Host": hosts[0]}
        ) as answer:
            assert answer.status == 200
            assert "Thank you for your subscription" in await answer.text()
        counts = [
            server.instance(number).db.execute("SELECT count(*) FROM shop_subscribers").fetchone()[0]
            for number in (one, other)
        ]
        assert counts[0] == counts[1] + 1
        server.remove(one)
        async with client.get("/", headers={"Host": hosts[0]}) as answer:
            assert answer.status == 404
        async with client.get("/", headers={"Host": hosts[1]}) as answer:
            assert answer.status == 200

    served(use)


@pytest.mark.parametrize("host", ["127.0.0.1", "shopping.localhost", "shopping.s9.localhost", "nothing.s1.localhost"])
def test_another_host_is_no_site(host: str) -> None:
    async def use(server: SiteServer, client: aiohttp.ClientSession) -> None:
        server.add(Instance())
        async with client.get("/", headers={"Host": host}) as answer:
            assert answer.status == 404

    served(use)


def test_the_storage_state_signs_the_customer_and_the_clerk_in() -> None:
    async def use(server: SiteServer, client: aiohttp.ClientSession) -> None:
        number = server.add(Instance())
        for cookie in server.storage_state(number)["cookies"]:
            headers = {"Host": f"{cookie['domain']}:{server.port}", "Cookie": f"session={cookie['value']}"}
            for name, path, words in (
                ("shopping.", "/customer/account", "Welcome, Nora!"),
                ("shopping-admin.", "/admin", "Signed in as admin"),
            ):
                if cookie["domain"].startswith(name):
                    async with client.get(path, headers=headers) as answer:
                        assert words in await answer.text()

    served(use)


def test_a_form_that_is_too_large_is_refused() -> None:
    async def use(server: SiteServer, client: aiohttp.ClientSession) -> None:
        number = server.add(Instance())
        host = {"Host": f"shopping.s{number}.localhost:{server.port}"}
        form = {**host, "Content-Type": "application/x-www-form-urlencoded"}
        async with client.post("/contact", data=io.BytesIO(b"message=" + b"x" * 2_000_000), headers=form) as answer:
            assert answer.status == 413
        async with client.head("/", headers=host) as answer:
            assert answer.status == 200

    served(use)


def test_an_instance_that_is_removed_while_its_form_comes_is_no_site_any_more() -> None:
    async def use(server: SiteServer, client: aiohttp.ClientSession) -> None:
        number = server.add(Instance())
        host = server.addresses(number)["shopping"].removeprefix("http://")

        async def form() -> AsyncIterator[bytes]:
            yield b"email="
            await asyncio.sleep(0)
            server.remove(number)
            yield b"x@y.example"

        kind = {"Host": host, "Content-Type": "application/x-www-form-urlencoded"}
        async with client.post("/newsletter/subscribe", data=form(), headers=kind) as answer:
            assert answer.status == 404

    served(use)


@pytest.mark.parametrize("target", ["//[", "//other.example/login", "/%00", "/?[", "http://["])
def test_any_path_is_a_page_or_none(target: str) -> None:
    instance = Instance()
    assert instance.respond("shopping", "GET", target).status in (200, 404)
    instance.close()
