"""Further fields of a request's body, which a run's record keeps: none may be a secret."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from quintet.errors import UsageError
from quintet.models.endpoint.key import Key

_SECRET = re.compile(r"api.?key|secret|password|authorization|credential|access.?token|bearer", re.IGNORECASE)

_SHORTEST = 8
"""Characters of a key that is looked for in other values; a shorter one is a dummy, and may be part of any word."""


def check_extra(extra: Mapping[str, Any], ours: frozenset[str], keys: Iterable[Key]) -> Mapping[str, Any]:
    """Check further fields of a request's body.

    Args:
        extra: as configured.
        ours: fields that are set by other means.
        keys: of the endpoint, which none may hold.

    Raises:
        UsageError: a field is one of `ours`, is no JSON, or holds a secret.
    """
    if taken := sorted(ours.intersection(extra)):
        raise UsageError(f"model.extra: expected fields that are not set by other means, got {', '.join(taken)}")
    try:
        text = json.dumps(extra, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"model.extra: expected what JSON can say, got something else: {error}") from error
    if secret := next(filter(_SECRET.search, _names(extra)), None):
        raise UsageError(f"model.extra: expected no secret, since it is written down, got {secret!r} (not shown)")
    for key in keys:
        if len(key.reveal()) >= _SHORTEST and key.redacted(text) != text:
            raise UsageError(f"model.extra: expected no secret, since it is written down, got {key} (not shown)")
    return dict(extra)


def _names(value: Any) -> Iterator[str]:
    """The names in a value of JSON, however deep."""
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("Sequence[Any]", value):
            yield from _names(inner)
