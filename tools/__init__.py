"""Scripts that write files of the project from others."""
