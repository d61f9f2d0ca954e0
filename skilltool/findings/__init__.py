"""What is a finding, and what does a person see of it?"""
