"""Search trees as lines of text: branches are drawn, and a node without siblings lies right below its parent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from quintet.events import NodeGrown, NodeStanding
from quintet.reports.text_tables import cut
from quintet.reports.transcript import LineStyle, TranscriptLine
from quintet.reports.trees import LONGEST_ACTION, SearchTree

_STYLES: Final[Mapping[NodeStanding, LineStyle]] = {"open": "thought", "pruned": "note", "chosen": "action"}
_DEEPEST: Final = 60
"""Characters that a line is indented by, at most. Of a deeper one as many are left out, so that its siblings align."""


def tree_lines(trees: Sequence[SearchTree]) -> Iterator[TranscriptLine]:
    """Every tree: a heading, a line for each node, and the branches that were stopped."""
    for tree in trees:
        yield TranscriptLine(0, "heading", tree_heading(tree))
        for node, indent in _drawn(tree):
            outer = len(indent) // _DEEPEST * _DEEPEST
            left_out = "…" if outer else ""
            text = node_text(node, tree.path_confidences.get(node.node))
            yield TranscriptLine(0, _STYLES[node.standing], f"{left_out}{indent[outer:]}{text}")
        for branch in tree.stopped:
            yield TranscriptLine(0, "note", f"stopped: {branch}")


def tree_heading(tree: SearchTree) -> str:
    """`tree stick/0/0: 5 nodes, 1 pruned, 2 branches stopped; chosen: 0 > 1`."""
    nodes = len(tree.nodes)
    said = [f"{nodes:,} node{'' if nodes == 1 else 's'}"]
    said += [f"{tree.pruned:,} pruned"] * bool(tree.pruned)
    stopped = len(tree.stopped)
    said += [f"{stopped:,} branch{'' if stopped == 1 else 'es'} stopped"] * bool(stopped)
    chosen = " > ".join(map(str, tree.chosen))
    return f"tree {tree.path}: {', '.join(said)}" + (f"; chosen: {chosen}" if chosen else "")


def node_text(node: NodeGrown, path: float | None = None, longest: int = LONGEST_ACTION) -> str:
    """`3 open drawer 1 (value 0.50, confidence 0.25, visits 2, reward 1, chosen)`."""
    facts = ", ".join(f"{name} {value}".rstrip() for name, value in node_facts(node, path).items())
    return f"{node.node} {action_text(node, longest)}" + (f"  ({facts})" if facts else "")


def action_text(node: NodeGrown, longest: int) -> str:
    """A node's action on one line, cut to a length; `root` for the root."""
    return cut(node.action, longest) or ("root" if node.parent is None else "(no action)")


def node_facts(node: NodeGrown, path: float | None = None) -> dict[str, str]:
    """What is known of a node, by name, without what has its usual value.

    Args:
        path: the confidence of its path, in [0, 1]. It is left out where it equals the node's own.
    """
    facts: dict[str, str] = {}
    if node.value is not None:
        facts["value"] = f"{node.value:.2f}"
    if node.confidence is not None:
        facts["confidence"] = f"{node.confidence:.2f}" + (" normalised" if node.adjusted else "")
        if path is not None and path != node.confidence:
            facts["path"] = f"{path:.2g}"
    if node.visits:
        facts["visits"] = f"{node.visits:,}"
    if node.reward:
        facts["reward"] = f"{node.reward:g}"
    if node.standing != "open":
        facts[node.standing] = ""
    return facts


def _drawn(tree: SearchTree) -> Iterator[tuple[NodeGrown, str]]:
    """Every node with what is drawn before it."""
    # Each with the drawing before it, and that before what lies below it.
    waiting = [(top, "", "") for top in reversed(tree.tops)]
    while waiting:
        number, before, below = waiting.pop()
        yield tree.nodes[number], before
        children = tree.children[number]
        if len(children) == 1:
            waiting.append((children[0], below, below))
        else:
            last = len(children) - 1
            waiting += [
                (child, below + ("└─ " if place == last else "├─ "), below + ("   " if place == last else "│  "))
                for place, child in reversed(list(enumerate(children)))
            ]
