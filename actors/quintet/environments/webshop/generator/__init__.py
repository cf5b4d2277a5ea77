"""A made-up shop: products, and what customers want."""
