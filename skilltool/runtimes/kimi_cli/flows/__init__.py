"""Flows of Kimi CLI: a diagram in a skill, whose nodes are sent as messages, one after the other.

`graph` has nodes and edges, `mermaid` and `d2` read diagrams, `walking` goes from node to node.

Source: `kimi_cli/skill/flow/` and `soul/kimisoul.py` of kimi-cli 1.52.0.
"""
