"""How much may the files of strangers cost, and how is work ended that costs more?"""
