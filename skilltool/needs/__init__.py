"""What does a skill refer to, need and ask for, where, and what of that travels with it?"""
