"""ACE: attempts every task by its inner method, which is shown the playbook."""

from quintet.methods.ace.learning import AceLearner
from quintet.methods.base.notes_learner import NotesMethod
from quintet.methods.base.options import MethodOptions


class Ace(NotesMethod[MethodOptions]):
    """Attempts every task by its inner method, which is shown the playbook; the paper's generator.

    Source: Agentic Context Engineering (2025).
    """

    name = "ace"
    version = "1"
    worlds = {"textcraft": {}, "alfworld": {}, "hotpotqa": {}, "webshop": {}, "webarena": {}}
    learner = AceLearner
