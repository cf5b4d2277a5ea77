"""Tree search over forked worlds: best first, breadth first, a beam, or Monte Carlo."""
