"""Counterfactual prompts and the answers to them."""
