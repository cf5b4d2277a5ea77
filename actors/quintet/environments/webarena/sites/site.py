"""A site: its routes, its tables, and what fills them."""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse

SiteMethod = Literal["GET", "POST"]
"""GET reads (its database refuses writes), POST changes and answers by a redirect."""
SiteHandler = Callable[[SiteRequest], SiteResponse]
_PARAMETER = re.compile(r"\{(\w+)(\*?)\}")


class SiteRoute:
    """Requests of one form, and who answers them."""

    def __init__(self, method: SiteMethod, path: str, handler: SiteHandler, *, login: bool = False) -> None:
        """Compile the path.

        Args:
            method: the requests' method; a HEAD is answered as a GET.
            path: `{id}` stands for one part of a path, `{rest*}` for one or more.
            handler: answers.
            login: a visitor who is not signed in is sent to the site's page for that, and back.
        """
        self.method = method
        self.path = path
        self.handler = handler
        self.login = login
        self._parts = _compiled(path)

    def match(self, path: str) -> Mapping[str, str] | None:
        """The path's parameters, or None if the path is not of this form."""
        found = self._parts.fullmatch(path)
        return found.groupdict() if found else None


def _compiled(path: str) -> re.Pattern[str]:
    parts: list[str] = []
    end = 0
    for found in _PARAMETER.finditer(path):
        parts.append(re.escape(path[end : found.start()]))
        parts.append(f"(?P<{found[1]}>{'.+' if found[2] else '[^/]+'})")
        end = found.end()
    return re.compile("".join(parts) + re.escape(path[end:]))


class Site:
    """One of the sites. It keeps nothing: what changes is in an instance's database."""

    def __init__(
        self,
        *,
        name: SiteName,
        label: str,
        folder: Path,
        routes: Sequence[SiteRoute],
        schema: str = "",
        seed: Callable[[sqlite3.Connection], None] | None = None,
        login_path: str = "/login",
        user: str | None = None,
        filters: Mapping[str, Callable[..., object]] | None = None,
        shared: Callable[[SiteRequest], Mapping[str, object]] | None = None,
    ) -> None:
        """Describe a site.

        Args:
            name: as tasks name it.
            label: for people, and the page's title ends with it.
            folder: the folder of its Python modules; its templates are in `templates` there.
            routes: tried in order; the first that fits answers.
            schema: makes its tables, whose names start with the site's word; no `;` but between statements.
            seed: fills them.
            login_path: its page for signing in; it takes `next`, the path to go to afterwards.
            user: who is signed in when a session opens.
            filters: further filters of its templates.
            shared: values that each of its pages is given, such as how much is in the cart.
        """
        self.name: SiteName = name
        self.label = label
        self.folder = folder
        self.routes = tuple(routes)
        self.schema = schema
        self.seed = seed
        self.login_path = login_path
        self.user = user
        self.filters = dict(filters or {})
        self.shared = shared

    def find(self, method: str, path: str) -> tuple[SiteRoute, Mapping[str, str]] | None:
        """The route that answers, and the path's parameters; None if there is no such page.

        A slash at the end makes no difference where no route asks for it.
        """
        for given in dict.fromkeys((path, path.rstrip("/") or "/")):
            for route in self.routes:
                if route.method == method and (params := route.match(given)) is not None:
                    return route, params
        return None
