"""The shop: what it sells, and what its customers do there."""
