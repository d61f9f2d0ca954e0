"""pickle-bot: a skill tool whose description lists the names and descriptions of skills."""
