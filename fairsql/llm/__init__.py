"""Judging texts by a language model, once, into a table of the warehouse."""
