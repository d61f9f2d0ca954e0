"""Deep Agents, a framework, and what its program `dcode` shares with it."""
