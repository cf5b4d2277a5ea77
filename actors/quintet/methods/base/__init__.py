"""The base of every method: its coroutine, its configuration, its prompts, and the context of an episode or a run."""
