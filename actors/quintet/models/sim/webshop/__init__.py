"""The simulated player of WebShop."""
