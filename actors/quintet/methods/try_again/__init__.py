"""Try Again: several attempts at the whole task, and the best by reward."""
