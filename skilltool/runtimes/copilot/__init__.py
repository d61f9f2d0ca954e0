"""GitHub Copilot in VS Code, as its source says."""
