"""What a step was worth: by a search of `quintet blame`, or by the values of a tree's nodes."""

from collections.abc import Iterator

from quintet.journal.nodes import last_nodes
from quintet.journal.reader import JournalReader
from quintet.training.calls import TrainingRow, finished_attempts


def tree_steps(run: str, reader: JournalReader) -> Iterator[TrainingRow]:
    """A row for each node that has a value, as has the state before it."""
    for row in finished_attempts(reader):
        nodes = last_nodes(record.event for record in reader.records_of(row))
        for node in nodes.values():
            before = None if node.parent is None else nodes.get((node.tree, node.parent))
            if before is None or node.value is None:
                continue
            yield {
                "run": run,
                "episode": row.path,
                "source": "tree",
                "step": node.node,
                "parent": before.node,
                "path": node.path[len(row.path) + 1 :],
                "action": node.action,
                "before": before.value,
                "before_n": before.visits,
                "after": node.value,
                "after_n": node.visits,
                "reward": None if before.value is None else node.value - before.value,
            }
