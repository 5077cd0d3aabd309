"""The pages in docs/tests: their tables against the models, and their examples run."""
