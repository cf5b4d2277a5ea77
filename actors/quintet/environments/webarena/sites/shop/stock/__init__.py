"""What the shop has when an instance begins: drawn from tables by a seeded generator."""
