"""Models behind any OpenAI-compatible chat endpoint.

    model.py         the model: one call is one POST
    address.py       where the endpoint is
    key.py           the key, kept from every error
    dialect.py       how a family of models is asked
    clients.py       one HTTP client for each event loop, closed with it
    answer.py        what comes back, read leniently
    unanswerable.py  errors that are outcomes: the prompt is too long, or filtered
    failures.py      what is wrong where nothing came back

Nothing here waits or repeats: deadlines, retries and budgets stand around every model, in `deploy/`.
"""
