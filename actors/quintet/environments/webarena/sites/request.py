"""A request as a site's handlers see it, and the answers that they give."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.notices import Notice, NoticeKind, add_notice
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.sessions import end_login, start_login
from quintet.environments.webarena.sites.templates import render_template
from quintet.environments.webarena.sites.visitor_input import is_own_path, whole_number

if TYPE_CHECKING:
    from quintet.environments.webarena.sites.site import Site

Pairs = Sequence[tuple[str, str]]
"""Fields of a query or a form in their order; a name may stand several times."""


class SiteRequest:
    """One request to one site of one instance."""

    def __init__(
        self,
        site: "Site",
        db: sqlite3.Connection,
        *,
        path: str,
        query: Pairs,
        form: Pairs,
        params: Mapping[str, str],
        token: str,
        user: str | None,
        now: str,
        notice: Notice | None,
        addresses: Mapping[SiteName, str],
    ) -> None:
        """Take what the instance has read of the request.

        Args:
            site: the site that is asked.
            db: the instance's database. While a GET is answered it refuses writes.
            path: decoded, without its query.
            query: the address's fields.
            form: the body's fields; empty for a GET.
            params: what stands in the path for the route's parameters.
            token: the session's cookie; empty without one.
            user: who is signed in.
            now: the instance's clock, `2023-06-15 12:00:00`. It moves a minute before each POST.
            notice: what the last POST had to say.
            addresses: where the instance's sites are.
        """
        self.site = site
        self.db = db
        self.path = path
        self.params = params
        self.token = token
        self.user = user
        self.now = now
        self.notice = notice
        self._query = tuple(query)
        self._form = tuple(form)
        self._addresses = addresses

    @property
    def query(self) -> Mapping[str, str]:
        return dict(self._query)

    @property
    def form(self) -> Mapping[str, str]:
        return dict(self._form)

    @property
    def url(self) -> str:
        """The path with its query, without the notice."""
        return self.here()

    def values(self, name: str) -> list[str]:
        """All values of a field that may stand several times in the form or the query."""
        return [value for key, value in (*self._form, *self._query) if key == name]

    def text(self, name: str) -> str:
        """A field of the form without white space around it; empty if it is missing."""
        return self.form.get(name, "").strip()

    def number(self, name: str, default: int = 0) -> int:
        """A whole number, >= 0, of the query or the form; `default` if it is missing or is none."""
        given = whole_number(self.form.get(name, self.query.get(name, "")).strip())
        return default if given is None else given

    def filled(self, name: str, default: object = "") -> str:
        """What a field shows: what was typed, if the form was refused, else `default`."""
        typed = self.notice.form.get(name) if self.notice else None
        return typed if typed is not None else ("" if default is None else str(default))

    def here(self, **changes: object) -> str:
        """This page's address with some fields of its query changed; None removes one."""
        names = {"notice", *changes}
        kept = [(key, value) for key, value in self._query if key not in names]
        kept += [(key, str(value)) for key, value in changes.items() if value is not None]
        return f"{self.path}?{urlencode(kept)}" if kept else self.path

    def address(self, site: SiteName) -> str:
        """Where another site of the instance is."""
        return self._addresses[site]

    def page(self, template: str, *, status: int = 200, **values: object) -> SiteResponse:
        """Answer by one of the site's templates."""
        shared: Mapping[str, object] = self.site.shared(self) if self.site.shared else {}
        body = render_template(self.site, template, {"request": self, "site": self.site, **shared, **values})
        return SiteResponse(status=status, body=body.encode())

    def redirect(self, path: str, *, success: str = "", error: str = "") -> SiteResponse:
        """Send the browser to a path of this site.

        Args:
            path: with its query.
            success: what the next page says in its head: it was done.
            error: what the next page says in its head: why it was not. Its form shows what was typed, but no password.
        """
        if success or error:
            kind: NoticeKind = "error" if error else "success"
            typed = {name: value for name, value in self._form if "password" not in name} if error else {}
            number = add_notice(self.db, kind, error or success, json.dumps(typed))
            path += ("&" if "?" in path else "?") + f"notice={number}"
        return SiteResponse(status=303, location=path)

    def back(self, default: str, *, success: str = "", error: str = "") -> SiteResponse:
        """Send the browser to the path in the form's field `back`, if it is one of this site, else to `default`."""
        return self.redirect(self._asked("back", default), success=success, error=error)

    def not_found(self) -> SiteResponse:
        return self.page("not_found.html", status=404)

    def sign_in(self, user: str, default: str, *, success: str = "") -> SiteResponse:
        """Start a session of the user's and go to the path in the form's field `next`, as `back` does."""
        token = start_login(self.db, self.site.name, user)
        redirect = self.redirect(self._asked("next", default), success=success)
        return SiteResponse(status=303, location=redirect.location, cookies={"session": token})

    def sign_out(self, path: str, *, success: str = "") -> SiteResponse:
        """End the session and go to a path."""
        end_login(self.db, self.token)
        redirect = self.redirect(path, success=success)
        return SiteResponse(status=303, location=redirect.location, cookies={"session": ""})

    def _asked(self, field: str, default: str) -> str:
        path = self.form.get(field, "")
        return path if is_own_path(path) else default
