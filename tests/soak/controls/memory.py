"""Defects of the memory: versions that are sealed early, and recalls from another version."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from quintet.memory.actor import MemoryStore
from quintet.memory.store import Store
from quintet.messages.store import FindTuples, StoreTuples
from tests.soak.controls.control import Control, Touched, replaced


def _sealing(original: Any) -> Any:
    async def receive(store: Any, request: Any) -> Any:
        answer = await original(store, request)
        if isinstance(request, StoreTuples):
            store._store.seal(request.version)
        return answer

    return receive


def _never(_: Any) -> Any:
    def refuse_sealed(*_: Any) -> None: ...

    return refuse_sealed


@contextmanager
def _sealed_early() -> Generator[Touched, None, None]:
    with replaced(MemoryStore, "receive", _sealing) as touched, replaced(Store, "_refuse_sealed", _never):
        yield touched


def _one_version_behind(original: Any) -> Any:
    async def receive(store: Any, request: Any) -> Any:
        if isinstance(request, FindTuples) and request.version:
            request = replace(request, version=request.version - 1)
        return await original(store, request)

    return receive


MEMORY = (
    Control("a version sealed early", "A version is sealed once all that comes in with it is stored.", _sealed_early),
    Control(
        "a stale memory",
        "An episode recalls from the version that its path names.",
        lambda: replaced(MemoryStore, "receive", _one_version_behind),
    ),
)
