"""Trees that hypothesis draws."""

from hypothesis import strategies as st

from quintet.search.node import Node, Tree

DEPTH = 6


@st.composite
def grown(draw: st.DrawFn, *, most: int = 40) -> Tree:
    """A tree of up to `most` nodes below the root, some of them done or pruned."""
    tree = Tree(max_depth=DEPTH)
    for _ in range(draw(st.integers(0, most))):
        parents = [node for node in tree.nodes if not node.done and node.depth < DEPTH and node.standing != "pruned"]
        parent = draw(st.sampled_from(parents))
        value, confidence = draw(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)))
        node = tree.grow(parent, action="a", value=value, confidence=confidence, done=draw(st.integers(0, 9)) == 0)
        if draw(st.integers(0, 9)) == 0:
            tree.prune(node)
        if not tree.root.openings:
            break
    return tree


def open_leaves(node: Node) -> list[Node]:
    """The open leaves of a subtree, counted one by one."""
    return [*([node] if node.is_open else []), *(leaf for child in node.children for leaf in open_leaves(child))]
