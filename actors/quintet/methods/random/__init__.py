"""Random: any action that is possible, as a floor."""
