"""The language server: what `lint`, `--fix` and `render` say of a SKILL.md, in an editor, as it is typed.

It writes no file and runs nothing of a skill; edits are proposals that the editor applies. Lines and columns
of the protocol count from 0 in units that both sides agree on; `positions` is the one place that knows them.
"""
