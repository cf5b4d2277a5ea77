"""tau2-bench: customers of an airline, a shop and a phone company, served by calls of tools under a policy."""
