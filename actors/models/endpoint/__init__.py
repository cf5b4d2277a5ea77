"""Models behind any OpenAI-compatible chat endpoint.

    model.py      the model: one call is one POST
    address.py    where the endpoint is
    key.py        the key, kept from every text
    dialect.py    which sampling parameters a family of models takes, under which names
    clients.py    one HTTP client for each event loop, closed with it
    answer.py     what comes back, read leniently
    failures.py   what is wrong where none came back

Nothing here waits or repeats: deadlines, retries and budgets stand around every model, in `deploy/`.
"""
