"""Random: any possible action, as a lower bound."""
