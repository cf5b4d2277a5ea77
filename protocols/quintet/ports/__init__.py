"""The ports: what a model, a world, a transport and a journal implement, and how an actor asks another."""
