"""Agent Plugins 1.0.0: the format of plugins whose clients skip skills that do not conform."""
