"""Skill discovery: every task is attempted by AdaPlanner, which is shown programs that solved others."""

from quintet.methods.base.notes_learner import NotesMethod
from quintet.methods.base.options import MethodOptions
from quintet.methods.skill_discovery.learning import SkillLearner


class SkillDiscovery(NotesMethod[MethodOptions]):
    """Attempts every task by its inner method, which is shown the skills.

    Source: AdaPlanner (Sun et al., 2023), its skill discovery. Differs: see README.md.
    """

    name = "skill_discovery"
    version = "2"
    learner = SkillLearner
    default_inner = "adaplanner"
