"""Agent Workflow Memory: every task is attempted by the inner method, which is shown the workflows."""

from quintet.methods.awm.learning import AwmLearner
from quintet.methods.base.notes_learner import NotesMethod
from quintet.methods.base.options import MethodOptions


class Awm(NotesMethod[MethodOptions]):
    """Attempts every task by its inner method, which is shown the workflows.

    Source: Agent Workflow Memory (Wang et al., 2024). Differs: see README.md.
    """

    name = "awm"
    version = "1"
    learner = AwmLearner
