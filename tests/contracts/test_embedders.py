"""Every embedder of ours keeps the contract of embedders; that of an endpoint over HTTP on loopback."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

import pytest

from quintet.models.embedding.hashed_words import HashedWords
from quintet.testing.embedder import *  # noqa: F403
from quintet.testing.embedder_case import EmbedderCase
from tests.faulty.endpoint import serve_models

EMBEDDERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "hashed-words": ("hashed-words", {}),
    "hashed-words of few dimensions": ("hashed-words", {"dimensions": 24}),
    "wordllama": ("wordllama", {}),
    "an endpoint": ("served", {}),
    "an endpoint asked for few dimensions": ("served", {"dimensions": 64}),
}
"""By what they are tried as: the embedder and its options."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    serving = serve_models({}, {"served": HashedWords()})
    served = asyncio.run_coroutine_threadsafe(serving.__aenter__(), loop).result()
    yield served.url
    asyncio.run_coroutine_threadsafe(serving.__aexit__(None, None, None), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(params=EMBEDDERS)
def case(request: pytest.FixtureRequest, url: str) -> Iterator[EmbedderCase]:
    name, options = EMBEDDERS[request.param]
    if name == "wordllama" and find_spec(name) is None:
        pytest.skip("needs the extra embeddings")
    with EmbedderCase(name, {**options, "url": url} if name == "served" else options) as case:
        yield case
