"""Our sites without a browser: who is answered what, and what a form changes."""

import io
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

import aiohttp
import pytest

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.server import SiteServer
from quintet.environments.webarena.sites.visit import Instance

USERS: Mapping[SiteName, int] = {"shopping": 1, "reddit": 2, "gitlab": 3}
"""The cookies of those who are logged in when a session opens."""
PAGES = {
    "shopping": ("/", "/mugs.html", "/LMP-1210.html", "/catalogsearch/result/?q=lamp", "/checkout/cart/"),
    "reddit": ("/", "/forums", "/f/baking/", "/f/baking/top", "/f/baking/1/", "/search?q=lamp", "/submit/books"),
    "gitlab": ("/", "/openloom/loom", "/openloom/loom/-/issues", "/openloom/loom/-/issues/1", "/mvoss/potluck"),
}


class Client:
    """Asks a server whose one instance is that of a test."""

    def __init__(self, server: SiteServer, http: aiohttp.ClientSession) -> None:
        self.server = server
        self.instance = Instance()
        self.label = server.add(self.instance)
        self.http = http

    def host(self, site: SiteName) -> str:
        return f"{site}.{self.label}.localhost:{self.server.port}"

    async def ask(
        self, site: SiteName, path: str, form: Mapping[str, str] | None = None, cookie: object = None, host: str = ""
    ) -> tuple[int, str]:
        """The status, and the text or where it leads. A form is sent; the site's user is logged in."""
        cookie = USERS[site] if cookie is None else cookie
        headers = {"Host": host or self.host(site), "Cookie": f"session={cookie}"}
        ask = self.http.get if form is None else partial(self.http.post, data=form)
        async with ask(f"http://127.0.0.1:{self.server.port}{path}", headers=headers, allow_redirects=False) as answer:
            return answer.status, answer.headers.get("Location") or await answer.text()


@asynccontextmanager
async def served() -> AsyncGenerator[Client]:
    server = SiteServer()
    await server.start()
    async with aiohttp.ClientSession() as http:
        yield Client(server, http)
    await server.stop()


async def test_pages_are_answered_with_a_slash_or_without_and_change_nothing() -> None:
    async with served() as client:
        for site in USERS:
            for path in PAGES[site]:
                status, text = await client.ask(site, path)
                assert (status, "<h1>" in text) == (200, True), (site, path)
        assert client.instance.changes() == b""


async def test_what_is_no_page_or_another_host_is_not_found() -> None:
    async with served() as client:
        for path in ("/nothing", "//[", "/%00", "/?[", "/f/none", "/f/books/1", "/f/baking/99/x"):
            assert (await client.ask("reddit", path))[0] in ((200,) if path == "/?[" else (404,)), path
        for host in ("127.0.0.1", "reddit.localhost", "reddit.s9.localhost", "map.s1.localhost"):
            assert (await client.ask("reddit", "/", host=host))[0] == 404, host


async def test_a_form_is_answered_by_a_redirect_and_changes_the_instance_alone() -> None:
    async with served() as client:
        other = Client(client.server, client.http)
        assert await client.ask("reddit", "/f/books/subscribe", {}) == (303, "/f/books")
        texts = [(await each.ask("reddit", "/f/books"))[1] for each in (client, other)]
        assert ["Unsubscribe" in text for text in texts] == [True, False]
        client.server.remove(client.label)
        assert (await client.ask("reddit", "/"))[0] == 404


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/MUG-2001.html/cart", {"colour": "Purple", "quantity": "1"}),
        ("/MUG-2001.html/cart", {"colour": "Blue", "quantity": "0"}),
        ("/MUG-2001.html/review", {"rating": "6", "nickname": "a", "summary": "b", "text": "c"}),
        ("/checkout/order", {}),
    ],
)
async def test_a_form_that_makes_no_sense_changes_nothing(path: str, form: dict[str, str]) -> None:
    async with served() as client:
        before = client.instance.db.serialize()
        assert (await client.ask("shopping", path, form))[0] == 303
        assert client.instance.db.serialize() == before


async def test_nobody_changes_anything_without_a_login_and_a_cookie_is_of_one_site_until_it_logs_out() -> None:
    async with served() as client:
        for cookie in ("", "9", "x", USERS["shopping"]):
            assert await client.ask("reddit", "/f/books/subscribe", {}, cookie) == (303, "/login")
            assert (await client.ask("reddit", "/login", cookie=cookie))[0] == 200
        assert await client.ask("reddit", "/login") == (303, "/")
        await client.ask("reddit", "/logout", {})
        assert (await client.ask("reddit", "/login"))[0] == 200
        for password, status in (("wrong", 200), ("anchor-9-tide", 303)):
            form = {"name": "harborcat", "password": password}
            assert (await client.ask("reddit", "/login", form, ""))[0] == status


async def test_what_is_written_is_shown_as_it_is() -> None:
    async with served() as client:
        form = {"title": "<b>Ünï & co</b>", "body": "<script>"}
        status, place = await client.ask("reddit", "/submit/books", form)
        assert (status, place) == (303, "/f/books/9/b-n-co-b")
        text = (await client.ask("reddit", place))[1]
        assert "&lt;b&gt;Ünï &amp; co&lt;/b&gt;" in text
        assert "&lt;script&gt;" in text


async def test_a_form_that_is_too_large_is_refused_and_one_whose_instance_is_gone_is_no_sites() -> None:
    async with served() as client:
        user = {"Host": client.host("reddit"), "Cookie": "session=2"}
        kind = {"Content-Type": "application/x-www-form-urlencoded", **user}

        async def leave() -> AsyncIterator[bytes]:
            yield b"title="
            client.server.remove(client.label)
            yield b"x"

        for data, status in ((io.BytesIO(b"title=" + b"x" * 2_000_000), 413), (leave(), 404)):
            url = f"http://127.0.0.1:{client.server.port}/submit/books"
            async with client.http.post(url, data=data, headers=kind) as answer:
                assert answer.status == status


async def test_an_instance_with_the_changes_of_another_goes_on_like_it() -> None:
    async with served() as client:
        for path in ("/f/books/subscribe", "/f/baking/1/x/vote", "/f/baking/1/x/comment"):
            await client.ask("reddit", path, {"comment": "Thanks"})
        other = Client(client.server, client.http)
        other.server.remove(other.label)
        other.instance = Instance(client.instance.changes())
        other.label = client.server.add(other.instance)
        for each in (client, other):
            await each.ask("reddit", "/f/baking/1/x/comment", {"comment": "Again"})
        assert other.instance.changes() == client.instance.changes()
        assert len(client.instance.changes()) < 8_000


def delete_reviews_and_fail(instance: Instance) -> None:
    with instance.transaction(writes=True):
        instance.db.execute("DELETE FROM reviews")
        raise KeyError


def test_a_get_cannot_write_and_what_fails_leaves_nothing() -> None:
    instance = Instance()
    with pytest.raises(Exception, match="readonly"), instance.transaction(writes=False):
        instance.db.execute("DELETE FROM reviews")
    before = instance.db.serialize()
    with pytest.raises(KeyError):
        delete_reviews_and_fail(instance)
    assert instance.db.serialize() == before


@pytest.mark.parametrize("changes", [b"no changes", zlib.compress(b"no database")])
def test_changes_that_are_none_are_refused(changes: bytes) -> None:
    with pytest.raises(ValueError, match="a database of our sites"):
        Instance(changes)
