"""The search trees of an episode, node by node."""

from msgspec import Struct

from quintet.events import NodeStanding
from quintet.reports.transcript import find_episode
from quintet.reports.trees import SearchTree, read_trees
from quintet.view.conversation import EpisodeRequest
from quintet.view.folder import ViewedFolder, read_viewed


class ShownNode(Struct, frozen=True, array_like=True):
    """A node as it stands last; see `quintet.events.NodeGrown`. A list in JSON, since there are many."""

    node: int
    depth: int
    """0 for the root."""
    parent: int | None
    action: str
    value: float | None
    confidence: float | None
    path_confidence: float | None
    """From the root to here."""
    visits: int
    reward: float
    standing: NodeStanding
    path: str
    """In the conversation."""
    session: str | None


class ShownBranch(Struct, frozen=True):
    """A branch that was stopped."""

    node: int | None
    """Where it was."""
    text: str


class ShownTree(Struct, frozen=True):
    """A search tree."""

    path: str
    """Of the request that grew it."""
    pruned: int
    chosen: tuple[int, ...]
    nodes: tuple[ShownNode, ...]
    """Each after its parent and before its next sibling."""
    stopped: tuple[ShownBranch, ...]


def view_trees(viewed: ViewedFolder, request: EpisodeRequest) -> tuple[ShownTree, ...]:
    """The search trees of an episode, those of inner requests after the outer ones.

    Raises:
        UsageError: it has none.
    """
    with read_viewed(viewed.open_run(request.run)) as reader:
        return tuple(map(_shown, read_trees(reader, find_episode(reader, request.episode))))


def _shown(tree: SearchTree) -> ShownTree:
    nodes = tuple(
        ShownNode(
            node.node,
            depth,
            node.parent,
            node.action,
            node.value,
            node.confidence,
            tree.path_confidences.get(node.node),
            node.visits,
            node.reward,
            node.standing,
            node.path,
            node.session,
        )
        for node, depth in tree.walk()
    )
    stopped = tuple(ShownBranch(branch.node, str(branch)) for branch in tree.stopped)
    return ShownTree(tree.path, tree.pruned, tuple(tree.chosen), nodes, stopped)
