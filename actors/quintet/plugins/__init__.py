"""What can be named on a command line: ours and what other distributions bring, loaded when used."""
