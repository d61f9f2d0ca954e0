"""goose: Block's agent, as its source says."""
