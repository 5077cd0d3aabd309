"""The pages in docs/tests: their tables against the models, their examples as a reader runs them."""
