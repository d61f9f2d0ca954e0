"""How fast is skilltool, compared with other linters in the same run?"""
