"""agentskills: the open specification, as its reference library reads skills."""
