"""A debate: three critics plan a task, read each other's plans and plan again; ReAct is shown what most agree on."""

from collections import Counter

from pydantic import BaseModel, ConfigDict, Field

from quintet.author import Description, Episode, FreeText, Method, Solved, Unsolved, model_role, system, user

CRITICS = ("skeptic", "optimist", "minimalist")
ASKED = system("""You are one of three critics who plan for an agent in a text world. Write one action a step, in words,
numbered, below a line that says List, and nothing else:

List
1. the first action""")


class DebateConfig(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    rounds: int = Field(default=2, ge=1)
    """How often every critic plans."""


class Debate(Method[DebateConfig]):
    """Three critics debate a plan, and an inner method acts."""

    name = "debate"
    version = "1"
    roles = tuple(map(model_role, CRITICS))
    nests = True
    default_inner = "react"

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        plans: list[str] = []
        for _ in range(self.config.rounds):
            others = "\n\n".join(["The critics planned:", *plans, "Plan again, better if you can."] if plans else [])
            question = user(f"{episode.setting}\n\n{others}\n\nGoal: {episode.goal}.")
            async with episode.branches() as branches:
                speaking = [branches.start(episode.complete, critic, ASKED, question) for critic in CRITICS]
            plans = [critic.result().text for critic in speaking]
        [(plan, votes)] = Counter(plans).most_common(1)
        note = FreeText(text=f"A plan of {votes} of {len(CRITICS)} critics:\n{plan}")
        return await episode.attempt(parts=(*episode.inherited, note))

    def describe(self) -> Description:
        return Description(budget=f"{len(CRITICS)} x {self.config.rounds} + {self.budget_of_attempts(1)}")


if __name__ == "__main__":
    from quintet.api import evaluate

    episodes = evaluate(Debate, "textcraft", model="sim-strong", tasks=["beehive", "lantern"])
    print(sum(episode.reward for episode in episodes), "of", len(episodes))
