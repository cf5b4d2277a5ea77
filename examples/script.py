"""The same without `async`: for scripts and notebooks."""

from quintet.api import evaluate

episodes = evaluate("react", "textcraft", model="sim-strong", tasks=["beehive", "lantern"])
print(sum(episode.reward for episode in episodes), "of", len(episodes))
