"""Prefilters: cheap checks that decide whether a rule has to run.

Most skills are clean, and most rules find nothing in most skills. A prefilter may say yes without
need, but never no where one of its rules would find something. All findings come from the rules
themselves; a rule without a prefilter always runs.
"""
