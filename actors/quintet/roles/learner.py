"""The learner role: runs the coroutine in which a method learns across episodes."""

from typing import Any

from quintet.messages.learning import Learn, Learned
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec
from quintet.ports.roles import Roles


class Learner:
    """Runs a learner. Keeps nothing between requests: published versions are in the journal."""

    def __init__(self, spec: LearnerSpec[Any], roles: Roles, *, seed: int) -> None:
        self._spec = spec
        self._roles = roles
        self._seed = seed

    async def receive(self, request: Learn) -> Learned:
        return await self._spec.learn(
            LearnerContext(
                roles=self._roles,
                seed=self._seed,
                training=request.training,
                held_out=request.held_out,
                test=request.test,
                start=request.start,
                trajectories=request.trajectories,
                feedback=request.feedback,
            )
        )
