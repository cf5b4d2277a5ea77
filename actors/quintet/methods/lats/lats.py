"""LATS: Monte Carlo tree search with values, roll-outs and reflections of the model."""

from collections.abc import Mapping

from quintet.messages.execution import Decide
from quintet.messages.reflection import LookBack, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.lats.config import LatsConfig
from quintet.methods.react.demonstrations import demonstrations
from quintet.methods.reflexion.reflexion import Reflexion
from quintet.methods.search.search import Search
from quintet.ports.model import SamplingOverride
from quintet.search.evaluator import StateEvaluator
from quintet.search.expansion import Expander
from quintet.search.monte_carlo import MonteCarlo
from quintet.search.tree_search import TreeSearch


class Lats(Method[LatsConfig]):
    """Selects a leaf by UCT, expands it, rolls out, looks back on a failure, and backs the end up. It makes no claim.

    With an inner method, a roll-out is one attempt of it from the leaf; without one it is as published.

    Source: LATS (Zhou et al., 2024), section 4. Differs: see README.md.
    """

    name = "lats"
    version = "3"
    requests = (Decide, Value, LookBack)
    prompt_folders = (*Reflexion.prompt_folders, *Search.prompt_folders)
    worlds = {
        "textcraft": {"depth": 30, "rollout_depth": 30},
        "alfworld": {"depth": 30, "rollout_depth": 30, "demonstrations": "hybrid"},
        "hotpotqa": {"depth": 7, "rollout_depth": 4, "failed_reward": -1.0},
        "webshop": {"candidates": 5, "root_candidates": 10, "depth": 15, "rollout_depth": 15},
        "webarena": {"depth": 30, "rollout_depth": 30},
    }
    environments = Search.environments
    nests = True

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        config = self.config
        search = TreeSearch(episode, max_depth=config.depth, rank=lambda node: node.score, oracle=config.oracle)
        evaluator = StateEvaluator(
            episode=episode,
            scores="values",
            source=config.values,
            samples=config.samples,
            weight=config.value_weight,
        )
        expander = Expander(
            episode=episode,
            evaluator=evaluator,
            candidates=config.candidates,
            root_candidates=config.root_candidates,
            sampling=SamplingOverride(temperature=config.temperature, top_p=1.0),
        )
        await MonteCarlo(
            search=search,
            expander=expander,
            iterations=config.iterations,
            exploration=config.exploration,
            rollout_depth=config.rollout_depth,
            reflections=config.reflections,
            failed_reward=config.failed_reward,
            workers=config.workers,
            order=config.order,
            spread=config.spread,
        ).run()
        return await search.conclude()

    def needs_forks(self) -> bool:
        return True

    def describe(self) -> Description:
        oracle = "the rewards of done worlds are backed up, a full one ends it, and any other tells it to look back"
        return Description(budget=f"{self.config.iterations} iterations", oracle=oracle if self.config.oracle else "")

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        return demonstrations(self.config.demonstrations, metadata)
