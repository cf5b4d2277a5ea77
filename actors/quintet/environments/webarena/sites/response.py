"""What a site answers a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class SiteResponse:
    """An answer; a redirect has a `location` and no body."""

    status: int = 200
    body: bytes = b""
    content_type: str = "text/html"
    location: str | None = None
    cookies: Mapping[str, str] = field(default_factory=dict[str, str])
    """Cookies to be set; an empty value removes one."""

    @property
    def text(self) -> str:
        return self.body.decode()
