from collections.abc import Generator

import pytest

from tests.actors.models.endpoint.serving import Server, chat, serving


@pytest.fixture(scope="package")
def running() -> Generator[Server, None, None]:
    with serving() as server:
        yield server


@pytest.fixture
def server(running: Server) -> Server:
    running.heard.clear()
    running.says(chat("Hello."))
    return running
