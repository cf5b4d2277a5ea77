"""A search tree and its nodes: what was done, what the world answered, and what the search knows of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from quintet.events import NodeStanding
from quintet.messages.environment import Session
from quintet.messages.execution import Turn


@dataclass(slots=True, eq=False, kw_only=True)
class Node:
    """A state of the world, reached by one action from its parent's. Only its `Tree` makes it."""

    number: int
    """From 0, the root, in the order of growing. It decides every tie."""
    parent: "Node | None" = field(default=None, repr=False)
    depth: int = 0
    """Actions from the root."""
    action: str = ""
    """Empty for the root."""
    turn: Turn | None = None
    """The action's completion with the world's answer; None for the root."""
    session: Session | None = None
    """The world in this state; None if it is closed."""
    value: float | None = None
    """How promising the state was judged, in [0, 1]; None: nobody was asked."""
    confidence: float | None = None
    """Of the action among its parent's candidates, in [0, 1]; None for the root."""
    reward: float = 0.0
    """What the world says was earned, in [0, 1]. Read `final_reward` to decide anything."""
    done: bool = False
    """The world takes no further action."""
    adjusted: bool = False
    """The confidences of its parent's candidates had to be normalised."""
    visits: int = 0
    """How many times a reward was backed up through it."""
    total: float = 0.0
    """The sum of those rewards."""
    in_flight: int = 0
    """How many workers are below it now, or at it."""
    standing: NodeStanding = "open"
    children: list["Node"] = field(default_factory=list["Node"], repr=False)
    path_score: float = 1.0
    """The product of the scores on its path, in [0, 1]; 1 for the root. Of confidences, the confidence of the path.

    Source: LDM2, section 3.3.
    """
    openings: int = 0
    """How many of its children have an open leaf in their subtree; and 1 more if the node is open itself."""
    is_open: bool = False
    """It is a leaf that can be expanded, and no worker has it."""

    @property
    def score(self) -> float:
        """Its value; without one the confidence of its action; without both 0."""
        return next((score for score in (self.value, self.confidence) if score is not None), 0.0)

    @property
    def final_reward(self) -> float | None:
        """The reward if the world is done, else None: before that no search may read it."""
        return self.reward if self.done else None

    @property
    def is_success(self) -> bool:
        """The world is done with the full reward. Without an oracle no search may decide by it."""
        return self.done and self.reward >= 1

    @property
    def mean(self) -> float:
        """The mean of the rewards that were backed up; 0 if there was none."""
        return self.total / self.visits if self.visits else 0.0

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns from the root to here."""
        turns: list[Turn] = []
        node: Node | None = self
        while node is not None:  # not by `path`: this is read at every expansion, however deep
            if node.turn is not None:
                turns.append(node.turn)
            node = node.parent
        return tuple(reversed(turns))

    def ancestry(self) -> Iterator["Node"]:
        """The node, its parent, and so on up to the root."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def path(self) -> tuple["Node", ...]:
        """The nodes from the root to here."""
        return tuple(self.ancestry())[::-1]

    def set_open(self, is_open: bool) -> None:
        """Say whether the node can be expanded. Its ancestors learn of it as far as something changes for them."""
        if is_open == self.is_open:
            return
        self.is_open = is_open
        change = 1 if is_open else -1
        for node in self.ancestry():
            before = node.openings
            node.openings += change
            if before and node.openings:
                return


class Tree:
    """Numbers the nodes that grow from a root; none is expanded that lies `max_depth` actions below it."""

    def __init__(self, session: Session | None = None, *, max_depth: int) -> None:
        self.max_depth = max_depth
        self.root = Node(number=0, session=session)
        self.root.set_open(max_depth > 0)
        self.nodes = [self.root]
        """By number."""

    def grow(
        self,
        parent: Node,
        *,
        action: str,
        turn: Turn | None = None,
        session: Session | None = None,
        value: float | None = None,
        confidence: float | None = None,
        reward: float = 0.0,
        done: bool = False,
        adjusted: bool = False,
    ) -> Node:
        """Add a child. It can be expanded unless its world is done or it lies at the greatest depth."""
        node = Node(
            number=len(self.nodes),
            parent=parent,
            depth=parent.depth + 1,
            action=action,
            turn=turn,
            session=session,
            value=value,
            confidence=confidence,
            reward=reward,
            done=done,
            adjusted=adjusted,
        )
        node.path_score = parent.path_score * node.score
        self.nodes.append(node)
        parent.children.append(node)
        node.set_open(not done and node.depth < self.max_depth)
        parent.set_open(False)  # last, so that nothing changes above it
        return node

    def prune(self, node: Node) -> None:
        """Give up a leaf."""
        node.standing = "pruned"
        node.set_open(False)
