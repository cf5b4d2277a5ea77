"""An environment, a method and a model for Quintet. None imports another: each could be a package of its own."""
