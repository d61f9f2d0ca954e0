"""MyCodeAgent: a skill tool that inserts arguments into the body."""
