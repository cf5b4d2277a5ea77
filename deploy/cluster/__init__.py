"""The Ray runtime: hosts inside Ray actors, on this machine or on a cluster. Nothing outside this folder imports Ray."""
