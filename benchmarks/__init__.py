"""Speed and memory, as figures taken side by side in one run."""
