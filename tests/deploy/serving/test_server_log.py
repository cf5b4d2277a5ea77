"""What the log of our HTTP servers has."""

import pytest
from aiohttp import ClientConnectionResetError
from aiohttp.http_exceptions import BadStatusLine

from quintet.serving.server_log import SERVER_LOG


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (BadStatusLine("SSH-2.0"), False),
        (ClientConnectionResetError("Cannot write to closing transport"), False),
        (ConnectionError("the journal's disk"), True),
    ],
)
def test_what_a_client_did_is_not_logged(error: Exception, logged: bool, caplog: pytest.LogCaptureFixture) -> None:
    SERVER_LOG.error("Error handling request", exc_info=error)
    assert bool(caplog.records) is logged
