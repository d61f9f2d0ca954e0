"""agent: skills disclosed in four tiers, by what the user asks: document 001, and agent-base in Python."""
