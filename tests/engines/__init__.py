"""Engines on which the same cases run: each fills a table, and runs SELECTs over it."""
