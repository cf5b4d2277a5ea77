"""LATS: Monte Carlo tree search with a model's values, roll-outs and reflections."""
