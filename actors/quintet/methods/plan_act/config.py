"""Plan+Act's configuration."""

from quintet.methods.devils_advocate.config import PlanTrialConfig


class PlanActConfig(PlanTrialConfig):
    """Plan+Act's configuration: Devil's Advocate's, without its remedies."""
