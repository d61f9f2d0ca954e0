"""Crush: Charm's agent, as its source says."""
