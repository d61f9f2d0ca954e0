"""MyCodeAgent: a skill tool that puts arguments into the body."""
