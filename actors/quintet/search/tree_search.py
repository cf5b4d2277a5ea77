"""A search of one episode: its tree in the journal, its sessions, the best leaf so far, and the answer."""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from quintet.messages.environment import Close
from quintet.messages.parts import PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode, done_reason
from quintet.search.expansion import Child, Point
from quintet.search.frontier import Rank
from quintet.search.node import Node, Tree
from quintet.search.rollout import RollOut

_Place: TypeAlias = tuple[bool, float, bool, float, int]
"""Where a leaf comes in the order of leaves."""


class TreeSearch:
    """Grows the tree of an episode. Only the coroutine that solves the episode uses it; workers bring it `Child`ren.

    The answer is a leaf: a done one before one that is not, then with `oracle` the one of the greatest reward, then the
    one of the highest rank, then the lowest number. With `oracle` a full reward ends the search, too. At every moment
    the best leaf so far is what the episode comes to if it is cut short (`Episode.offer`).

    A node's session is open until it is expanded, pruned, or done and not the best. The root's stays open until the
    end, for an answer without any turn.

    Args:
        episode: whose session is the root's.
        max_depth: of the tree, at least 1.
        max_nodes: below the root, from which on no expansion begins; None: no limit.
        oracle: whether the search may read a done world's reward.
    """

    def __init__(
        self, episode: Episode, *, max_depth: int, max_nodes: int | None = None, rank: Rank, oracle: bool
    ) -> None:
        self.episode = episode
        self.tree = Tree(episode.session, max_depth=max_depth)
        self.oracle = oracle
        self._max_nodes = max_nodes
        self._rank = rank
        self._leaves: list[tuple[_Place, Node]] = []
        """A heap, the best first; some are no leaves any more, or are closed."""
        self._offered: Node | None = None
        self._push(self.tree.root)
        self._journal(self.tree.root)
        self._offer_best()

    @property
    def is_full(self) -> bool:
        """There are as many nodes as there may be."""
        return self._max_nodes is not None and len(self.tree.nodes) > self._max_nodes

    @property
    def has_succeeded(self) -> bool:
        """The oracle says that the best leaf solves the task."""
        return self.oracle and self._best_leaf().is_success

    def point(self, node: Node, parts: tuple[PromptPart, ...] = ()) -> Point:
        """Where a worker goes on from an open leaf."""
        assert node.session is not None
        return Point(session=node.session, turns=node.turns, value=node.value, parts=parts)

    async def add(self, parent: Node, children: Sequence[Child]) -> list[Node]:
        """Grow the children of an expanded leaf, and close its session. Without children it is pruned."""
        nodes = [self._grow(parent, child) for child in children]
        if not nodes:
            await self.prune([parent])
        elif parent is not self.tree.root:
            await self._close(parent)
        for node in nodes:
            self._journal(node)
            before = self._best_leaf()
            self._push(node)
            loser = before if self._best_leaf() is node else node
            self._offer_best()
            if loser.done:
                await self._close(loser)
        return nodes

    async def extend(self, leaf: Node, found: RollOut) -> Node:
        """Grow the turns of a roll-out below a leaf, one node a turn, and close the leaf's session.

        Only the last node has a session, a value and a reward. Every action was the only one proposed.

        Returns:
            The last node.
        """
        node = leaf
        for action, turn in found.turns:
            node = self.tree.grow(node, action=action, turn=turn, confidence=1.0)
            self._journal(node)
        (end,) = await self.add(node, [found.end])
        if leaf is not self.tree.root:
            await self._close(leaf)
        return end

    async def prune(self, leaves: Iterable[Node]) -> None:
        """Give up leaves."""
        for leaf in leaves:
            self.tree.prune(leaf)
            if leaf is not self.tree.root:
                await self._close(leaf)
            self._journal(leaf)
        self._offer_best()

    async def discard(self, found: Sequence[Child]) -> None:
        """Close the sessions of what a worker found when the search was over."""
        for each in found:
            await self.episode.ask(Close(session=each.copy.session))

    async def conclude(self) -> Solved | Unsolved:
        """End the search with the best leaf whose session is open; all other sessions are closed."""
        answer = self._best_leaf()
        for node in answer.path():
            node.standing = "chosen"
        for node in self.tree.nodes:
            if node is not answer:
                await self._close(node)
            if node.visits or node.standing == "chosen":
                self._journal(node)
        return self._answer(answer)

    def _grow(self, parent: Node, child: Child) -> Node:
        return self.tree.grow(
            parent,
            action=child.action,
            turn=child.turn,
            session=child.session,
            value=child.value,
            confidence=child.confidence,
            reward=child.reward,
            done=child.done,
            adjusted=child.adjusted,
        )

    def _push(self, leaf: Node) -> None:
        reward = (self.oracle and leaf.final_reward) or 0.0
        place = not leaf.done, -reward, leaf is self.tree.root, -self._rank(leaf), leaf.number
        heappush(self._leaves, (place, leaf))

    def _best_leaf(self) -> Node:
        """The best leaf whose session is open; the root if there is none."""
        while self._leaves:
            leaf = self._leaves[0][1]
            if leaf.session is not None and not leaf.children:
                return leaf
            heappop(self._leaves)
        return self.tree.root

    def _offer_best(self) -> None:
        best = self._best_leaf()
        if best is not self._offered:
            self._offered = best
            self.episode.offer(self._answer(best))

    def _answer(self, leaf: Node) -> Solved | Unsolved:
        session = leaf.session or self.episode.session
        if leaf.is_success:
            return Solved(
                session=session,
                reward=leaf.reward,
                done=True,
                depth=self.episode.depth,
                last_action=leaf.action,
                last_observation=leaf.turn.observation if leaf.turn else "",
                turns=leaf.turns,
            )
        reason = done_reason(leaf.reward) if leaf.done else "no leaf of the tree is done"
        return Unsolved(
            session=session,
            reward=leaf.reward,
            done=leaf.done,
            reason=reason,
            depth=self.episode.depth,
            turns=leaf.turns,
        )

    async def _close(self, node: Node) -> None:
        if node.session is not None:
            session, node.session = node.session, None
            await self.episode.ask(Close(session=session))

    def _journal(self, node: Node) -> None:
        self.episode.journal_node(
            node=node.number,
            parent=None if node.parent is None else node.parent.number,
            action=node.action,
            session=node.session,
            value=node.value,
            confidence=node.confidence,
            visits=node.visits,
            reward=node.reward,
            standing=node.standing,
            adjusted=node.adjusted,
        )
