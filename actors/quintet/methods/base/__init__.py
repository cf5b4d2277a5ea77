"""The base of every method: its coroutine, its configuration, its prompts, and what it sees of an episode or a run."""
