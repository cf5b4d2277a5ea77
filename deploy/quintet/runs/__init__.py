"""What a run leaves on disk: run folders, study folders, and who may write in them."""
