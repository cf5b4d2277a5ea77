"""The packages that `quintet new` writes, file by file."""
