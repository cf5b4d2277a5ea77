"""The examples, each tested as what it is an example of."""
