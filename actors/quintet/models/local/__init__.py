"""Models in GGUF files, run by llama.cpp in this process.

model.py    the model: starts a server with its first call, then an endpoint like any other
server.py   llama.cpp's server on loopback, one for each file and context, with the extra `local`
gguf.py     a file's digest and header
"""
