"""The nodes of search trees, each as it stands last."""

from collections.abc import Iterable

from quintet.events import AnyEvent, NodeGrown
from quintet.messages.paths import Path


def last_nodes(events: Iterable[AnyEvent]) -> dict[tuple[Path, int], NodeGrown]:
    """The nodes among an episode's events, by tree and number; the order is that of their first events."""
    return {(event.tree, event.node): event for event in events if isinstance(event, NodeGrown)}
