"""Which edits correct the findings, can they be trusted, and how are they written?"""
