"""pi: skills listed in the system prompt, which the model reads with its ordinary tool `read`."""
