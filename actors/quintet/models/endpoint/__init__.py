"""Models behind any OpenAI-compatible chat endpoint.

Nothing here waits or repeats: `deploy/` adds deadlines, retries and budgets around every model.
"""
