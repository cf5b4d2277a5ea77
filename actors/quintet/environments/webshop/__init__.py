"""WebShop: a shop to search and to buy in."""
