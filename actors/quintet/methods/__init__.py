"""The methods: one conversation each, in a folder of its own."""
