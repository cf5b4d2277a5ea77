"""Where the official sites have their login forms, and how the fields are found there."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from quintet.environments.webarena.addresses import SiteName


class FoundBy(Struct, frozen=True):
    """How a field or a button is found."""

    by: Literal["label", "placeholder", "test id", "button"]
    text: str


class LoginForm(Struct, frozen=True, kw_only=True):
    """A site's login form."""

    path: str
    """From the site's address on."""
    name: FoundBy
    secret: FoundBy
    button: FoundBy


LOGIN_FORMS: Final[Mapping[SiteName, LoginForm]] = {
    "shopping": LoginForm(
        path="/customer/account/login/",
        name=FoundBy("label", "Email"),
        secret=FoundBy("label", "Password"),
        button=FoundBy("button", "Sign In"),
    ),
    "shopping_admin": LoginForm(
        path="",
        name=FoundBy("placeholder", "user name"),
        secret=FoundBy("placeholder", "password"),
        button=FoundBy("button", "Sign in"),
    ),
    "reddit": LoginForm(
        path="/login",
        name=FoundBy("label", "Username"),
        secret=FoundBy("label", "Password"),
        button=FoundBy("button", "Log in"),
    ),
    "gitlab": LoginForm(
        path="/users/sign_in",
        name=FoundBy("test id", "username-field"),
        secret=FoundBy("test id", "password-field"),
        button=FoundBy("test id", "sign-in-button"),
    ),
}
"""By site. Nobody logs in to the others."""
