"""The methods, a folder each, and `base`, from which every method is written."""
