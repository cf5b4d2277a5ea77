"""A visitor of one instance without a browser: follows redirects, keeps the cookie, reads links and forms."""

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import urldefrag, urlsplit

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.sites.instance import Instance
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.seed import the_seed


class Page(HTMLParser):
    """The links, pictures and forms of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[tuple[str, str, list[str]]] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        for name in ("href", "src"):
            if name in given:
                self.links.append(urldefrag(given[name])[0])
        if tag == "form":
            self.forms.append((given.get("method", "get"), given.get("action", ""), []))
        if tag in ("input", "textarea", "select", "button") and "name" in given and self.forms:
            self.forms[-1][2].append(given["name"])

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


class Visitor:
    """Someone with a browser's cookie at one site."""

    def __init__(self, site: SiteName, instance: Instance | None = None, *, signed_in: bool = True) -> None:
        self.site: SiteName = site
        self.instance = instance or Instance()
        self.path = "/"
        self._cookies = {"session": the_seed().tokens[site]} if signed_in else dict[str, str]()

    def get(self, path: str) -> SiteResponse:
        """The page at a path, redirects followed."""
        answer = self.instance.respond(self.site, "GET", path, cookies=self._cookies)
        self.path = path
        return self._followed(answer)

    def post(self, path: str, form: Mapping[str, str] | list[tuple[str, str]] | None = None) -> SiteResponse:
        """The page that a form leads to."""
        fields = form if isinstance(form, list) else list((form or {}).items())
        answer = self.instance.respond(self.site, "POST", path, form=fields, cookies=self._cookies)
        assert answer.location is not None or answer.status == 404, "a POST is answered by a redirect"
        return self._followed(answer)

    def _followed(self, answer: SiteResponse) -> SiteResponse:
        for name, value in answer.cookies.items():
            self._cookies[name] = value
        return self.get(answer.location) if answer.location is not None else answer

    def crawl(self, start: str, limit: int) -> Iterator[tuple[str, SiteResponse, str]]:
        """Pages that can be reached by links of this site, nearest first, each with the page that linked to it."""
        seen, waiting = {start}, [(start, "")]
        while waiting and limit:
            path, origin = waiting.pop(0)
            limit -= 1
            answer = self.instance.respond(self.site, "GET", path, cookies=self._cookies)
            yield path, answer, origin
            if answer.content_type != "text/html":
                continue
            for link in Page(answer.text).links:
                if link and not urlsplit(link).netloc and link not in seen:
                    assert link.startswith("/"), f"{path}: {link}"
                    seen.add(link)
                    waiting.append((link, path))
