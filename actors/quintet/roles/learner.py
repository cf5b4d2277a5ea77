"""The learner role: the actor in which what a method learns across episodes is learnt."""

from typing import Any

from quintet.messages.learning import Learned, LearnerRequest
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.learning import LearnerSpec
from quintet.ports.refs import LearnerRoles


class Learner:
    """Runs a learner's coroutine. Keeps nothing between requests: what is learnt is in the journal.

    Args:
        learning: whose coroutine runs.
        config: an instance of `learning.config`.
        roles: whom the coroutine may ask.
        seed: of the run.
    """

    def __init__(self, learning: LearnerSpec, config: Any, roles: LearnerRoles, *, seed: int) -> None:
        self._learning = learning
        self._config = config
        self._roles = roles
        self._seed = seed

    async def receive(self, request: LearnerRequest) -> Learned:
        return await self._learning.learn(
            LearnerContext(
                config=self._config,
                roles=self._roles,
                seed=self._seed,
                training=request.training,
                held_out=request.held_out,
                test=request.test,
                start=request.start,
            )
        )
