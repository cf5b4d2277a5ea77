"""Models in GGUF files, run by llama.cpp in this process.

model.py    the model: an endpoint like any other, of llama.cpp's server on loopback, which its first call starts
gguf.py     a file by name, size and digest, and what its header says
"""
