"""What runs and studies are on disk: their folders, records, locks and files."""
