"""pickle-bot: a skill tool whose description lists ids, names and descriptions."""
