"""Try Again: the executor's whole run several times, and the best by reward."""
