"""Cheap questions about skills, each asked before the rules that its answer decides for.

Most skills are clean, and most rules have nothing to say of most skills. A question may err only towards
yes: where it is answered no, the exact check of each of its rules would find nothing. Findings come
from the exact checks alone. A rule without a question is always run.
"""
