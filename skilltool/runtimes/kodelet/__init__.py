"""kodelet: a skill tool whose description lists the skills."""
