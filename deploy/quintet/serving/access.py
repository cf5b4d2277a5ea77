"""Who may reach a server of ours: programs of this machine, or requests with a token."""

from hmac import compare_digest

from quintet.errors import UsageError
from quintet.models.endpoint.address import is_loopback
from quintet.models.endpoint.key import Key


def required_token(host: str, key: str | None) -> str | None:
    """The token that every request must bring (`Authorization: Bearer TOKEN`); None: none.

    Args:
        host: where it listens.
        key: the environment variable with the token.

    Raises:
        UsageError: the variable is not set, or others reach the host and no key is named.
    """
    if key is not None:
        return Key(key, optional=False, where="key").reveal()
    if not is_loopback(host):
        raise UsageError(f"host: expected a key beside one that other machines reach, got {host} without")
    return None


def brings_token(authorization: str, token: str) -> bool:
    """Whether the `Authorization` of a request is the token's."""
    return compare_digest(authorization.encode(errors="replace"), f"Bearer {token}".encode())
