"""What a method has offered by the time its episode breaks off."""

from typing import Any

import pytest

from quintet.events import Offer
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Method
from tests.actors.fakes import Kitchens


def last_offer(method: Method[Any], roles: Kitchens, monkeypatch: pytest.MonkeyPatch) -> Offer | None:
    """Run an episode whose model runs out of answers."""
    episodes: list[Episode] = []
    solve = method.solve

    async def watched(episode: Episode) -> Solved | Unsolved:
        episodes.append(episode)
        return await solve(episode)

    monkeypatch.setattr(method, "solve", watched)
    with pytest.raises(IndexError):
        roles.solve(method)
    return episodes[0].latest.offer
