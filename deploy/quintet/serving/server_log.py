"""The log of our HTTP servers: errors of ours, and none of a client's that sent what is no HTTP, or left."""

import logging
from typing import Final

from aiohttp import ClientConnectionResetError
from aiohttp.http_exceptions import HttpProcessingError


def _is_ours(record: logging.LogRecord) -> bool:
    return record.exc_info is None or not isinstance(
        record.exc_info[1], HttpProcessingError | ClientConnectionResetError
    )


SERVER_LOG: Final = logging.getLogger("quintet.http")
"""A malformed request, such as one without a Host, gets its 400, and the log no traceback."""
SERVER_LOG.addFilter(_is_ours)
