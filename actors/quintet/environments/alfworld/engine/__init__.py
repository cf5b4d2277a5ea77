"""The native engine: a household, the effects of actions, and observations."""
