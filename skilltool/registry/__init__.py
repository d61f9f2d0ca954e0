"""What does a registry hold: tables of many skills, their copies, and a report?"""
