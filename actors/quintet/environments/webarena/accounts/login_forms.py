"""Where the official sites have their login forms, and how the fields are found there."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from quintet.environments.webarena.addresses import SiteName

FoundBy: TypeAlias = tuple[Literal["label", "placeholder", "test id", "button"], str]
"""How a field or a button is found."""


class LoginForm(NamedTuple):
    """A site's login form."""

    path: str
    """From the site's address on."""
    name: FoundBy
    secret: FoundBy
    button: FoundBy


LOGIN_FORMS: Final[Mapping[SiteName, LoginForm]] = {
    "shopping": LoginForm("/customer/account/login/", ("label", "Email"), ("label", "Password"), ("button", "Sign In")),
    "shopping_admin": LoginForm("", ("placeholder", "user name"), ("placeholder", "password"), ("button", "Sign in")),
    "reddit": LoginForm("/login", ("label", "Username"), ("label", "Password"), ("button", "Log in")),
    "gitlab": LoginForm(
        "/users/sign_in", ("test id", "username-field"), ("test id", "password-field"), ("test id", "sign-in-button")
    ),
}
"""By site. Nobody logs in to the others."""
