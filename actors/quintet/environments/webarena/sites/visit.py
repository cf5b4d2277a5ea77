"""One session's sites: a database in memory, a request to it as handlers see it, and the routes to them."""

import hashlib
import sqlite3
import zlib
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import quote

from aiohttp import hdrs, web

from quintet.environments.webarena.accounts.sites_file import LOGIN_FORMS
from quintet.environments.webarena.addresses import SiteName

if TYPE_CHECKING:
    from jinja2 import Environment

OWN_SITES: Final[tuple[SiteName, ...]] = ("shopping", "reddit", "gitlab")
_SEED: Final = (Path(__file__).parent / "seed.sql").read_text(encoding="utf-8")
SEED_DIGEST: Final = hashlib.sha256(_SEED.encode()).hexdigest()[:12]


@cache
def _seed() -> bytes:
    db = sqlite3.connect(":memory:")
    db.executescript(_SEED)
    return db.serialize()


class Instance:
    """All sites over one database. Every page is a pure function of the database, the address and the cookie.

    Args:
        changes: those of an instance that this one is to be like; empty: none.

    Raises:
        ValueError: they are damaged.
    """

    def __init__(self, changes: bytes = b"") -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self._changed = bool(changes)
        try:
            self.db.deserialize(zlib.decompress(changes) if changes else _seed())
            self.db.execute("SELECT count(*) FROM users").fetchone()
        except (zlib.error, sqlite3.Error) as error:
            raise ValueError(f"a database of our sites: {error}") from error

    def changes(self) -> bytes:
        """What the session changed: the database, compressed; empty: nothing."""
        return zlib.compress(self.db.serialize()) if self._changed else b""

    @contextmanager
    def transaction(self, *, writes: bool) -> Generator[None]:
        """A form's changes are all kept or, if its handler fails, none; a GET cannot make any."""
        self.db.execute(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
        if not writes:
            yield
            return
        self._changed = True
        self.db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def close(self) -> None:
        self.db.close()


_FRESH: Final = {"Cache-Control": "no-store"}


class SiteVisit:
    """One request to one site of an instance; the match of aiohttp's `request` says what stands in its path."""

    def __init__(self, site: SiteName, instance: Instance, request: web.Request, form: Mapping[str, str]) -> None:
        self.site: SiteName = site
        self.db = instance.db
        self.part: Mapping[str, str] = request.match_info
        self.query: Mapping[str, str] = request.query
        self.form = form
        self.session = request.cookies.get("session", "")
        found = self.one("SELECT user FROM sessions WHERE id = ? AND site = ?", self.session, site)
        self.user = str(found["user"] or "") if found else ""

    def all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        return self.db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self.db.execute(sql, values).fetchone()
        return found

    def need(self, sql: str, *values: object) -> sqlite3.Row:
        """The row that a page is about; without it there is no such page."""
        found = self.one(sql, *values)
        if found is None:
            raise web.HTTPNotFound(text="There is no page at this address.")
        return found

    def page(self, template: str, **values: object) -> web.Response:
        body = _templates().get_template(f"{template}.html").render(visit=self, **values)
        return web.Response(text=body, content_type="text/html", headers=_FRESH)

    def redirect(self, path: str) -> web.Response:
        return web.Response(status=303, headers={**_FRESH, "Location": quote(path, safe="/?=&-#%")})

    def log_in(self) -> web.Response:
        """Start a session of the user whom the form names."""
        name, password = self.form.get("name", ""), self.form.get("password", "")
        asked = "SELECT name FROM users WHERE site = ? AND name = ? AND password = ?"
        if self.one(asked, self.site, name, password) is None:
            return self.page("login", wrong=True)
        # It can be guessed, and may be: an instance is one session's, on loopback, and everything in it is made up.
        started = self.db.execute("INSERT INTO sessions (site, user) VALUES (?, ?)", (self.site, name)).lastrowid
        answer = self.redirect("/")
        answer.set_cookie("session", str(started), httponly=True, samesite="Lax")
        return answer

    def log_out(self) -> web.Response:
        self.db.execute("UPDATE sessions SET user = '' WHERE id = ?", (self.session,))
        return self.redirect(LOGIN_FORMS[self.site].path.rstrip("/"))


SiteHandler: TypeAlias = Callable[[SiteVisit], web.Response]
FindInstance: TypeAlias = Callable[[web.Request], Instance]


class SiteRoutes:
    """The routes of a site. Whatever a form changes is refused to who is not logged in."""

    def __init__(self, site: SiteName) -> None:
        self._site: SiteName = site
        self._handlers: list[tuple[str, str, SiteHandler, bool]] = []
        self._login = LOGIN_FORMS[site].path.rstrip("/")
        self._add(hdrs.METH_GET, self._login, _login_page, needs_login=False)
        self._add(hdrs.METH_POST, self._login, SiteVisit.log_in, needs_login=False)
        self.post("/logout")(SiteVisit.log_out)

    def get(self, path: str, *, needs_login: bool = False) -> Callable[[SiteHandler], SiteHandler]:
        """Answers GETs of a path, with a slash at its end or without."""
        return lambda handler: self._add(hdrs.METH_GET, path, handler, needs_login=needs_login)

    def post(self, path: str) -> Callable[[SiteHandler], SiteHandler]:
        """Answers forms that are sent to a path."""
        return lambda handler: self._add(hdrs.METH_POST, path, handler, needs_login=True)

    def application(self, find: FindInstance) -> web.Application:
        """Serves the site."""
        found = web.Application()
        found.router.add_static("/static", Path(__file__).parent / "static")
        for method, path, handler, needs_login in self._handlers:
            answer = self._answer(find, handler, needs_login=needs_login)
            place = "/" if path == "/" else path + "{_:/?}"
            for each in (method, hdrs.METH_HEAD) if method == hdrs.METH_GET else (method,):
                found.router.add_route(each, place, answer)
        return found

    def _add(self, method: str, path: str, handler: SiteHandler, *, needs_login: bool) -> SiteHandler:
        self._handlers.append((method, path, handler, needs_login))
        return handler

    def _answer(
        self, find: FindInstance, handler: SiteHandler, *, needs_login: bool
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def answer(request: web.Request) -> web.Response:
            form = {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
            instance = find(request)  # no await from here on: a session that ends closes it
            with instance.transaction(writes=request.method == hdrs.METH_POST):
                visit = SiteVisit(self._site, instance, request, form)
                return visit.redirect(self._login) if needs_login and not visit.user else handler(visit)

        return answer


def _login_page(visit: SiteVisit) -> web.Response:
    return visit.redirect("/") if visit.user else visit.page("login", wrong=False)


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters["money"] = _money
    return found


def _money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"
