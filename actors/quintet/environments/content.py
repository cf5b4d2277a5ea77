"""The digest by which a world says what its tasks are made of."""

from hashlib import blake2b

import msgspec


def content_digest(content: object) -> str:
    """Equal for equal content. It has tuples, texts and numbers, so that no path or name of ours is in it."""
    return blake2b(msgspec.msgpack.encode(content), digest_size=8).hexdigest()
