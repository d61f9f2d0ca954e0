"""How is an untrusted regular expression run? In another process, within a time limit."""
