"""Models of other providers, by their own interfaces, through the package `any-llm-sdk`."""
