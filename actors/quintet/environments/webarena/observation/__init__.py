"""What a model sees of a page: its accessibility tree, cleaned and cut to the viewport. Source: Zhou et al. (2024)."""
