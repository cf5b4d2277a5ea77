"""Models behind any OpenAI-compatible chat endpoint.

    model.py       the model: one call is one POST
    connection.py  POSTs to the endpoint by one HTTP client for each event loop, and the faults that come of them
    address.py     which endpoint it is, and whether its address may be used and shown
    key.py         the key, kept out of every error and of further fields
    dialect.py     the request format of a family of models
    answer.py      the lenient parser of answers
    failures.py    failed calls: faults, or outcomes (the prompt is too long, or filtered)

Nothing here waits or repeats: `deploy/` adds deadlines, retries and budgets around every model.
"""
