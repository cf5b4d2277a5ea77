"""The naive method: ask the world for the actions of its naive policy, and take them."""

from typing import ClassVar

from quintet.methods.expert.expert import Expert


class Naive(Expert):
    """Follows the world's naive policy, as the expert method follows the expert."""

    name = "naive"
    version = "1"
    policy = "naive"
    adviser: ClassVar[str] = "naive policy"
