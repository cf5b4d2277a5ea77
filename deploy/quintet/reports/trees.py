"""The search trees of an episode as their nodes stand last, the branches that were stopped, and both as lines."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from quintet.errors import UsageError
from quintet.events import BranchStopped, NodeGrown, NodeStanding, SessionForked, StepTaken
from quintet.journal.nodes import last_nodes
from quintet.journal.reader import JournalReader
from quintet.messages.paths import Path, order_of, parent
from quintet.plugins.catalogue import one_of
from quintet.reports.text_tables import cut
from quintet.reports.transcript import LineStyle, TranscriptLine

_NAMED = 20
"""Episodes with trees that an error names."""
_LONGEST_ACTION: Final = 80
"""Characters of an action that a line of text shows."""
_STYLES: Final[Mapping[NodeStanding, LineStyle]] = {"open": "thought", "pruned": "note", "chosen": "action"}
_DEEPEST: Final = 60
"""Characters that a line is indented by, at most. Of a deeper one as many are left out, so that its siblings align."""


@dataclass
class StoppedBranch:
    """A branch that was stopped, and how far it came, as far as it was journaled."""

    path: Path
    node: int | None = None
    """The node that it grew last, else the one that it copied the session of; None: neither is known."""
    calls: Counter[str] = field(default_factory=Counter[str])
    """By phase."""
    action: str = ""
    """The last one that its world answered."""

    def __str__(self) -> str:
        group, _, number = self.path.rpartition("/")
        at = "" if self.node is None else f", at node {self.node}"
        calls = ", ".join(f"{count} {phase}" for phase, count in self.calls.items())
        done = [f"calls: {calls}"] * bool(calls) + [f"last action: {cut(self.action, _LONGEST_ACTION)}"] * bool(
            self.action
        )
        return f"branch {number} of {group}{at}: {'; '.join(done) or 'nothing came back'}"


class SearchTree:
    """A tree, also one of which some nodes are not in the journal."""

    def __init__(self, path: Path, nodes: Iterable[NodeGrown], stopped: Sequence[StoppedBranch] = ()) -> None:
        self.path = path
        self.nodes = {node.node: node for node in sorted(nodes, key=lambda node: node.node)}
        """By number, in order."""
        self.stopped = stopped
        self.children: dict[int, list[int]] = {number: [] for number in self.nodes}
        """In the order of their numbers."""
        self.tops: list[int] = []
        """The root, and nodes whose parent is not in the journal."""
        self.path_confidences: dict[int, float] = {}
        """The product of the confidences from the root to a node, in [0, 1], by its number; 1 for the root. A node with
        a value has none, nor has any below it: this product ranks nodes only where states are not judged."""
        for number, node in self.nodes.items():
            # A parent is older than its children: so even damaged rows make no circle.
            if node.parent is not None and node.parent < number and node.parent in self.children:
                self.children[node.parent].append(number)
            else:
                self.tops.append(number)
            if node.value is not None:
                continue
            if node.parent is None:
                self.path_confidences[number] = 1.0
            elif node.confidence is not None and node.parent in self.path_confidences:
                self.path_confidences[number] = self.path_confidences[node.parent] * node.confidence

    @property
    def chosen(self) -> list[int]:
        """The numbers of the nodes that the search went on with, in order."""
        return [number for number, node in self.nodes.items() if node.standing == "chosen"]

    @property
    def pruned(self) -> int:
        """How many nodes were pruned."""
        return sum(node.standing == "pruned" for node in self.nodes.values())

    def walk(self) -> Iterator[tuple[NodeGrown, int]]:
        """Every node after its parent and before its next sibling, with its depth."""
        waiting = [(top, 0) for top in reversed(self.tops)]
        while waiting:
            number, depth = waiting.pop()
            yield self.nodes[number], depth
            waiting += [(child, depth + 1) for child in reversed(self.children[number])]


def read_trees(reader: JournalReader, episode: Path) -> list[SearchTree]:
    """An episode's search trees, inner requests' after outer ones'; a `UsageError`, with those that have, if none."""
    grown = [event for event in reader.events(episode, "_nodes") if isinstance(event, NodeGrown)]
    last = last_nodes(grown)
    if not last:
        raise UsageError(_without(reader, episode))
    stopped = _read_stopped(reader, episode, grown)
    paths = sorted({tree for tree, _ in last}, key=lambda path: (path.count("/"), order_of(path)))
    # A branch belongs to the innermost tree that it lies in.
    owners = {path: _nearest(path, set(paths)) for path in stopped}
    return [
        SearchTree(
            tree,
            (node for node in last.values() if node.tree == tree),
            [branch for path, branch in stopped.items() if owners[path] == tree],
        )
        for tree in paths
    ]


def _without(reader: JournalReader, episode: Path) -> str:
    found = [str(path) for path in reader.with_nodes(_NAMED)]
    if not found:
        return f"--tree: expected an episode with a search tree, got a run of which none has one ({reader.file})"
    return f"--tree: expected an episode with a search tree: {one_of(found, episode)}, got {episode} ({reader.file})"


def _read_stopped(reader: JournalReader, episode: Path, grown: Sequence[NodeGrown]) -> Mapping[Path, StoppedBranch]:
    stopped = {
        event.path: StoppedBranch(event.path)
        for event in reader.events(episode, "_decisions")
        if isinstance(event, BranchStopped)
    }
    if not stopped:
        return stopped
    nodes = {event.session: event.node for event in grown if event.session is not None}
    for event in reader.events(episode, "_sessions"):
        branch = _branch_of(event.path, stopped)
        if branch is not None and branch.node is None and isinstance(event, SessionForked):
            branch.node = nodes.get(event.origin)
    for node in grown:
        if (branch := _branch_of(node.path, stopped)) is not None:
            branch.node = node.node
    for event in reader.events(episode, "_steps"):
        if isinstance(event, StepTaken) and (branch := _branch_of(event.path, stopped)) is not None:
            branch.action = event.action
    for path, phase in reader.call_phases(episode):
        if (branch := _branch_of(path, stopped)) is not None:
            branch.calls[phase] += 1
    return stopped


def _branch_of(path: Path, stopped: Mapping[Path, StoppedBranch]) -> StoppedBranch | None:
    found = _nearest(path, stopped)
    return None if found is None else stopped[found]


def _nearest(path: Path, any_of: Container[Path]) -> Path | None:
    """The innermost of some paths that a path lies at or below."""
    while path and path not in any_of:
        path = parent(path)
    return path or None


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


def node_text(node: NodeGrown, path: float | None = None, longest: int = _LONGEST_ACTION) -> str:
    """`3 open drawer 1 (value 0.50, confidence 0.25, visits 2, reward 1, chosen)`."""
    facts = ", ".join(f"{name} {value}".rstrip() for name, value in node_facts(node, path).items())
    return f"{node.node} {action_text(node, longest)}" + (f"  ({facts})" if facts else "")


def action_text(node: NodeGrown, longest: int) -> str:
    """A node's action on one line, cut to a length; `root` for the root."""
    return cut(node.action, longest) or ("root" if node.parent is None else "(no action)")


def node_facts(node: NodeGrown, path: float | None = None) -> dict[str, str]:
    """What is known of a node, by name, without what has its usual value or is the same twice."""
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
