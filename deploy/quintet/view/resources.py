"""What a page can ask for: by name, the form of the question and the function that answers it."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from quintet.errors import UsageError
from quintet.view.conversation import (
    BlocksRequest,
    EpisodeRequest,
    PictureRequest,
    view_blocks,
    view_episode,
    view_picture,
    view_prompts,
)
from quintet.view.episodes import RowsRequest, list_episodes, view_trees
from quintet.view.folder import ListRequest, ViewedFolder, list_viewed
from quintet.view.forks import view_forks
from quintet.view.learnt import (
    ChangesRequest,
    RecalledRequest,
    TuplesRequest,
    VersionRequest,
    view_changes,
    view_memory,
    view_recalled,
    view_tuples,
    view_versions,
)
from quintet.view.runs import CompareRequest, RunRequest, view_any, view_two
from quintet.view.timeline import view_timeline

_RequestT = TypeVar("_RequestT")


class Resource(NamedTuple):
    """Something that a page can ask for."""

    request: type[Struct]
    answer: Callable[[ViewedFolder, Any], object]


RESOURCES: Final[Mapping[str, Resource]] = {
    "runs": Resource(ListRequest, list_viewed),
    "run": Resource(RunRequest, view_any),
    "timeline": Resource(RunRequest, view_timeline),
    "compare": Resource(CompareRequest, view_two),
    "episodes": Resource(RowsRequest, list_episodes),
    "episode": Resource(EpisodeRequest, view_episode),
    "blocks": Resource(BlocksRequest, view_blocks),
    "prompts": Resource(EpisodeRequest, view_prompts),
    "trees": Resource(EpisodeRequest, view_trees),
    "forks": Resource(EpisodeRequest, view_forks),
    "versions": Resource(RunRequest, view_versions),
    "changes": Resource(ChangesRequest, view_changes),
    "memory": Resource(VersionRequest, view_memory),
    "tuples": Resource(TuplesRequest, view_tuples),
    "recalled": Resource(RecalledRequest, view_recalled),
}

_encoder = msgspec.json.Encoder()


def answer(viewed: ViewedFolder, name: str, query: Mapping[str, str]) -> bytes:
    """The JSON that a page is given; a `UsageError` for no such resource, a wrong query, or what cannot be read."""
    if name not in RESOURCES:
        raise UsageError(f"view: expected one of {', '.join(RESOURCES)}, got {name!r}")
    resource = RESOURCES[name]
    return _encoder.encode(resource.answer(viewed, _read(resource.request, name, query)))


PICTURE_REQUEST: Final = "picture"
"""The name of a picture's request, by which a page that is one file looks it up."""


def picture(viewed: ViewedFolder, query: Mapping[str, str]) -> bytes:
    """A picture that a page is given, as JPEG; a `UsageError` for a wrong query, or if there is none."""
    return view_picture(viewed, _read(PictureRequest, PICTURE_REQUEST, query))


def _read(kind: type[_RequestT], name: str, query: Mapping[str, str]) -> _RequestT:
    try:
        return msgspec.convert(dict(query), kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"view: {name}: {error}") from error


def request_key(name: str, query: Mapping[str, str]) -> str:
    """A request as a page that is one file looks it up; `requestKey` in `static/api.js` writes the same."""
    return json.dumps([name, *sorted(query.items())], separators=(",", ":"), ensure_ascii=False)
