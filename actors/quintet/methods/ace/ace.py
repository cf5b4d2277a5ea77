"""ACE: attempts every task by its inner method, which is shown the playbook."""

from quintet.methods.ace.learning import AceLearner
from quintet.methods.base.notes_learner import NotesMethod
from quintet.methods.base.options import MethodOptions


class Ace(NotesMethod[MethodOptions]):
    """The generator is the inner method.

    Source: Agentic Context Engineering (2025).
    """

    name = "ace"
    version = "1"
    worlds = {"textcraft": {}, "alfworld": {}, "hotpotqa": {}, "webshop": {}, "webarena": {}}
    learner = AceLearner
