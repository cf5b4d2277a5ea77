"""The shop's words to its visitors: the contact form, how it delivers, its newsletter."""

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.response import SiteResponse
from quintet.environments.webarena.sites.shop.account import is_email, subscribe
from quintet.environments.webarena.sites.shop.shopper import SHIPPING, shopper
from quintet.environments.webarena.sites.site import SiteRoute

_LONGEST = 4000


def _contact_page(request: SiteRequest) -> SiteResponse:
    return request.page("contact.html", customer=shopper(request))


def _contact(request: SiteRequest) -> SiteResponse:
    name, email, phone, text = (request.text(field)[:_LONGEST] for field in ("name", "email", "phone", "message"))
    if not (name and text):
        return request.redirect("/contact", error="A message needs your name and some words.")
    if not is_email(email):
        return request.redirect("/contact", error="Enter a valid email address, such as name@mailbox.example.")
    request.db.execute(
        "INSERT INTO shop_messages (name, email, phone, text, created) VALUES (?, ?, ?, ?, ?)",
        (name, email, phone, text, request.now),
    )
    return request.redirect("/contact", success="Thanks for your message. We answer within two days.")


def _delivery(request: SiteRequest) -> SiteResponse:
    return request.page("delivery.html", methods=SHIPPING)


def _subscribe(request: SiteRequest) -> SiteResponse:
    email = request.text("email").lower()
    if not is_email(email):
        return request.redirect("/", error="Enter a valid email address, such as name@mailbox.example.")
    subscribe(request.db, email, "Subscribed", request.now)
    return request.redirect("/", success="Thank you for your subscription.")


SERVICE_ROUTES = (
    SiteRoute("GET", "/contact", _contact_page),
    SiteRoute("POST", "/contact", _contact),
    SiteRoute("GET", "/delivery", _delivery),
    SiteRoute("POST", "/newsletter/subscribe", _subscribe),
)
