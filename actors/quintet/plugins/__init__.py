"""The catalogue of methods, worlds and models, ours and plug-ins', and their data files."""
