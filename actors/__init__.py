"""Who says it: the roles, methods, worlds and models. Imports `protocols`; never Ray, never a command line."""
