"""The shop as a site."""

from collections.abc import Mapping
from pathlib import Path

from quintet.environments.webarena.sites.request import SiteRequest
from quintet.environments.webarena.sites.shop.account import ACCOUNT_ROUTES
from quintet.environments.webarena.sites.shop.address_book import ADDRESS_ROUTES
from quintet.environments.webarena.sites.shop.browse import BROWSE_ROUTES
from quintet.environments.webarena.sites.shop.cart import CART_ROUTES
from quintet.environments.webarena.sites.shop.catalogue import category_menu
from quintet.environments.webarena.sites.shop.checkout import CHECKOUT_ROUTES
from quintet.environments.webarena.sites.shop.product import PRODUCT_ROUTES
from quintet.environments.webarena.sites.shop.service import SERVICE_ROUTES
from quintet.environments.webarena.sites.shop.shopper import cart_of, shopper
from quintet.environments.webarena.sites.shop.stock.people import CUSTOMER_EMAIL
from quintet.environments.webarena.sites.shop.stock.seed_shop import seed_shop
from quintet.environments.webarena.sites.site import Site

_FOLDER = Path(__file__).parent


def _shared(request: SiteRequest) -> Mapping[str, object]:
    customer = shopper(request)
    in_cart = sum(item["quantity"] for item in cart_of(request, customer["id"]).items) if customer else 0
    return {"menu": category_menu(request.db), "shopper": customer, "in_cart": in_cart}


SHOP_SITE = Site(
    name="shopping",
    label="Lantern Row",
    folder=_FOLDER,
    routes=(
        *BROWSE_ROUTES,
        *PRODUCT_ROUTES,
        *CART_ROUTES,
        *CHECKOUT_ROUTES,
        *ACCOUNT_ROUTES,
        *ADDRESS_ROUTES,
        *SERVICE_ROUTES,
    ),
    schema=(_FOLDER / "schema.sql").read_text(),
    seed=seed_shop,
    login_path="/customer/account/login",
    user=CUSTOMER_EMAIL,
    shared=_shared,
)
