"""Search: a tree of forked worlds, in one of four orders, on the model's values, votes or confidences."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from quintet.messages.execution import Decide
from quintet.messages.reflection import Choose, Value
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.react.demonstrations import demonstrations
from quintet.methods.react.react import React
from quintet.methods.search.config import SearchConfig
from quintet.ports.model import SamplingOverride
from quintet.search.best_first import search_best_first
from quintet.search.evaluator import StateEvaluator
from quintet.search.expansion import Expander
from quintet.search.frontier import Rank
from quintet.search.levels import search_levels
from quintet.search.monte_carlo import MonteCarlo
from quintet.search.node import Node
from quintet.search.tree_search import TreeSearch


class Search(Method[SearchConfig]):
    """Grows a tree of states, and answers with its best leaf. It makes no claim.

    Source: Tree of Thoughts (Yao et al., 2023), `breadth`; LDM2 (Wang et al., 2023), section 3.3, `beam`.
    """

    name = "search"
    version = "2"
    requests = (Decide, Value, Choose)
    prompt_folders = (Path(__file__).parent / "prompts", *React.prompt_folders)
    worlds = {
        "textcraft": {"depth": 30},
        "alfworld": {"depth": 30, "demonstrations": "hybrid"},
        "hotpotqa": {"depth": 7},
        "webshop": {"depth": 15},
        "webarena": {"depth": 30},
    }
    environments = React.environments

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        config = self.config
        rank: Rank = _path_score if config.scores != "values" else _score
        search = TreeSearch(episode, max_depth=config.depth, max_nodes=config.nodes, rank=rank, oracle=config.oracle)
        expander = self._expander(episode)
        workers, spread = config.workers, config.spread
        match config.order:
            case "best":
                await search_best_first(search, expander, rank=rank, workers=workers, spread=spread)
            case "breadth" | "beam":
                await search_levels(
                    search,
                    expander,
                    width=config.width,
                    rank=rank,
                    keep_done=config.order == "beam",
                    workers=workers,
                    spread=spread,
                )
            case "mcts":
                await MonteCarlo(
                    search=search,
                    expander=expander,
                    iterations=config.nodes,
                    exploration=config.exploration,
                    workers=workers,
                    spread=spread,
                ).run()
            case _:
                assert_never(config.order)
        return await search.conclude()

    def needs_forks(self) -> bool:
        return True

    def describe(self) -> Description:
        backed_up = ", and the rewards of done worlds are backed up" if self.config.order == "mcts" else ""
        oracle = f"a full reward ends it{backed_up}" if self.config.oracle else ""
        return Description(budget=f"{self.config.nodes} nodes", oracle=oracle)

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        return demonstrations(self.config.demonstrations, metadata)

    def _expander(self, episode: Episode) -> Expander:
        config = self.config
        return Expander(
            episode=episode,
            evaluator=StateEvaluator(
                episode=episode, scores=config.scores, source=config.values, samples=config.samples
            ),
            candidates=config.candidates,
            siblings=config.siblings,
            with_confidence=config.scores == "confidences",
            agreement=config.agreement if config.branch == "disagreement" else None,
            sampling=SamplingOverride(temperature=config.temperature, top_p=1.0),
        )


def _score(node: Node) -> float:
    return node.score


def _path_score(node: Node) -> float:
    return node.path_score
