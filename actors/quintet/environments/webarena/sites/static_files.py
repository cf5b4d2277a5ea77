"""The stylesheet and the script that all sites share."""

from functools import cache
from pathlib import Path

from quintet.environments.webarena.sites.response import SiteResponse

_FOLDER = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def _files() -> dict[str, SiteResponse]:
    return {
        file.name: SiteResponse(body=file.read_bytes(), content_type=_TYPES[file.suffix])
        for file in _FOLDER.iterdir()
        if file.suffix in _TYPES
    }


def static_file(name: str) -> SiteResponse:
    return _files().get(name) or SiteResponse(status=404, body=b"There is no such file.", content_type="text/plain")
