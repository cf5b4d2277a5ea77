"""The native engine: a household, what actions do to it, and what is seen."""
