"""What does an editor show for a SKILL.md while somebody types in it?

The language server: the findings of `lint`, the fixes of `lint --fix` and the listing of `render`, for the
text in the editor. It writes no file and runs nothing from a skill; the editor applies the edits it proposes.
Protocol positions count from 0, in units that both sides negotiate; only `positions` converts them.
"""
