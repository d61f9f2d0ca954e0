"""agent: the design document's four tiers, and agent-base, the Python program that has them."""
