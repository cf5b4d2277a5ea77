from collections.abc import Generator

import pytest

from tests.actors.models.endpoint.serving import Server, chat, serving

KEY = "sk-bridge-0123456789abcdef"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(variable, KEY)


@pytest.fixture(scope="package")
def running() -> Generator[Server, None, None]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: Server) -> Server:
    running.heard.clear()
    running.says(chat("Hello."))
    return running
