"""One session's sites: a database in memory, copied from the seed, and the answers to requests."""

import sqlite3
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, unquote, urlencode

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.all_sites import SITES
from quintet.environments.webarena.sites.clock import advance, clock
from quintet.environments.webarena.sites.notices import find_notice
from quintet.environments.webarena.sites.page_changes import changed_pages, with_changes
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.seed import the_seed
from quintet.environments.webarena.sites.sessions import signed_in
from quintet.environments.webarena.sites.static_files import static_file

_NOWHERE: Mapping[SiteName, str] = {name: f"http://{name.replace('_', '-')}.localhost" for name in SITES}


class Instance:
    """All sites over one database. Every page is a pure function of the database, the address and the cookie."""

    def __init__(self, data: bytes | None = None) -> None:
        """Copy the seed, or a database that `with_changes` made of it."""
        self.db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.deserialize(the_seed().data if data is None else data)
        self._changes: tuple[int, bytes] | None = None

    @classmethod
    def restored(cls, changes: bytes) -> "Instance":
        """The instance as it was when `changes` was asked.

        Raises:
            ValueError: they are not of this seed, or no changes at all.
        """
        return cls(with_changes(the_seed().data, changes))

    def changes(self) -> bytes:
        """How the database differs from the seed, compressed; some hundred bytes after a few actions."""
        at = self.db.total_changes
        if self._changes is None or self._changes[0] != at:
            self._changes = (at, changed_pages(the_seed().data, self.db.serialize()))
        return self._changes[1]

    def close(self) -> None:
        self.db.close()

    def respond(
        self,
        name: SiteName,
        method: str,
        target: str,
        *,
        form: Iterable[tuple[str, str]] = (),
        cookies: Mapping[str, str] | None = None,
        addresses: Mapping[SiteName, str] = _NOWHERE,
    ) -> SiteResponse:
        """Answer a request to a site.

        Args:
            name: the site.
            method: GET, HEAD or POST; others are refused.
            target: the path with its query, percent-encoded.
            form: the body's fields.
            cookies: the browser's for this site.
            addresses: where the instance's sites are, for links from one to another.
        """
        raw_path, _, raw_query = target.partition("#")[0].partition("?")  # a path such as `//[` is no host here
        path = unquote(raw_path) or "/"
        method = "GET" if method == "HEAD" else method
        if path.startswith("/static/"):
            return static_file(path.removeprefix("/static/"))
        site = SITES[name]
        token = (cookies or {}).get("session", "")
        query = parse_qsl(raw_query, keep_blank_values=True, max_num_fields=None)
        found = site.find(method, path)
        with _Transaction(self.db, writes=method == "POST" and found is not None):
            request = SiteRequest(
                site,
                self.db,
                path=path,
                query=query,
                form=tuple(form) if method == "POST" else (),
                params=found[1] if found else {},
                token=token,
                user=signed_in(self.db, name, token),
                now=clock(self.db),
                notice=find_notice(self.db, dict(query).get("notice", "")),
                addresses=addresses,
            )
            if found is None:
                return request.not_found()
            if found[0].login and request.user is None:
                # A POST's address may be no page, so the visitor comes back to the page with the form.
                here = request.here() if method == "GET" else request.form.get("back", "/")
                return SiteResponse(status=303, location=f"{site.login_path}?{urlencode({'next': here})}")
            return found[0].handler(request)


class _Transaction:
    """A POST's changes are all kept or, if its handler fails, none; a GET cannot make any."""

    def __init__(self, db: sqlite3.Connection, *, writes: bool) -> None:
        self._db = db
        self._writes = writes

    def __enter__(self) -> None:
        self._db.execute(f"PRAGMA query_only = {'OFF' if self._writes else 'ON'}")
        if self._writes:
            self._db.execute("BEGIN")
            advance(self._db)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._writes:
            self._db.execute("ROLLBACK" if kind else "COMMIT")
            self._db.execute("PRAGMA query_only = ON")
