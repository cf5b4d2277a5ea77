from collections.abc import Generator

import pytest

from tests.actors.models.endpoint.serving import Server, chat, serving


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_CUSTOM_HEADERS", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="package")
def running() -> Generator[Server, None, None]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: Server) -> Server:
    running.heard.clear()
    running.says(chat("Hello."))
    return running
