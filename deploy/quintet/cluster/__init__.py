"""The Ray runtime: hosts inside Ray actors, here or on a cluster. Nothing outside this folder imports Ray."""
