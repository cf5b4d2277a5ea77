"""Makes the vectors that a memory or a notebook lacks, at the start of a run that searches it by nearness."""

from itertools import islice

from quintet.errors import UsageError
from quintet.memory.store import Store
from quintet.models.embedding.by_model import ModelEmbedder
from quintet.ports.embedder import Embedder

_AT_ONCE = 1_024
"""Texts that are embedded and stored at a time."""


async def embed_memory(store: Store, embedder: Embedder) -> int:
    """Give every tuple or note of a run's memory a vector of this embedder, and return how many were made.

    Vectors of another embedder are replaced; after a kill, the next call makes those that are still missing. An
    embedder of an endpoint is not called: before a run there is no budget, and no journal that would keep what was
    paid for. With one the memory must have its vectors.

    Raises:
        UsageError: it is an endpoint's, and the memory lacks vectors of it.
        StoreFault: the file cannot be written.
    """
    vectors = store.reader.vectors
    if vectors.embedder not in ("", embedder.name):
        _refuse_endpoint(store, embedder)
        store.drop_vectors()
    made = 0
    missing = iter(list(vectors.missing()))  # read before anything is written
    while part := list(islice(missing, _AT_ONCE)):
        _refuse_endpoint(store, embedder)
        embedded = await embedder.embed([text for _, text in part])
        store.add_vectors(zip((identifier for identifier, _ in part), embedded, strict=True), embedder.name)
        made += len(part)
    return made


def _refuse_endpoint(store: Store, embedder: Embedder) -> None:
    if isinstance(embedder, ModelEmbedder):
        found = store.reader.vectors.embedder
        got = f"one with vectors of {found}" if found not in ("", embedder.name) else "one that lacks some"
        raise UsageError(
            f"memory: expected one that has all vectors of {embedder.name}, got {got}; form it with this "
            f"embedder, or name one that needs no endpoint by memory.embedder.name ({store.reader.file})"
        )
