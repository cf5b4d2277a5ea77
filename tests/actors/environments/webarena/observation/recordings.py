"""Pages of our own as Chromium answers about them.

`python -m tests.actors.environments.webarena.observation.recordings` records them again.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec

from quintet.environments.webarena.observation.nodes import CapturedPage, read_capture

FOLDER = Path(__file__).with_name("recorded")
PAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.html")))
_ORIGIN = "http://pages.test"
_NOT_READ = frozenset(("sources", "textBoxes", "attributes", "stackingContexts"))
"""Fields of the answers that take much space."""


def recorded(name: str) -> CapturedPage:
    """What was recorded of a page."""
    return _read(name, msgspec.json.decode((FOLDER / f"{name}.json").read_bytes()))


def live(browser: Any, name: str) -> CapturedPage:
    """What a browser answers about a page now."""
    return _read(name, _answers(browser, name))


def recorded_version(name: str) -> str:
    """Of the Chromium that answered about a page, such as "150.0.7871.100"."""
    return str(msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())["chromium"])


def _read(name: str, answers: Any) -> CapturedPage:
    return read_capture(f"{_ORIGIN}/{name}", answers["title"], answers["accessibility"], answers["layout"])


def _answers(browser: Any, name: str) -> Any:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    try:
        html = (FOLDER / f"{name}.html").read_text()
        context.route(f"{_ORIGIN}/**", partial(_fulfil, html))
        page = context.new_page()
        page.goto(f"{_ORIGIN}/{name}")
        devtools = context.new_cdp_session(page)
        return {
            "chromium": browser.version,
            "title": page.title(),
            "accessibility": devtools.send("Accessibility.getFullAXTree"),
            "layout": devtools.send("DOMSnapshot.captureSnapshot", {"computedStyles": []}),
        }
    finally:
        context.close()


def _fulfil(html: str, route: Any) -> None:
    route.fulfill(body=html, content_type="text/html")


def _without(answers: Any, names: frozenset[str]) -> Any:
    """Answers without fields that take much space and are not read."""
    if isinstance(answers, dict):
        fields = cast("dict[str, Any]", answers)
        return {name: _without(value, names) for name, value in fields.items() if name not in names}
    if isinstance(answers, list):
        return [_without(each, names) for each in cast("Sequence[Any]", answers)]
    return answers


def _record() -> None:
    # Playwright comes with an extra, so the module is imported without it.
    from tests.web.browser import chromium

    with chromium() as browser:
        for name in PAGES:
            answers = _without(_answers(browser, name), _NOT_READ)
            (FOLDER / f"{name}.json").write_bytes(msgspec.json.encode(answers) + b"\n")


if __name__ == "__main__":
    _record()
