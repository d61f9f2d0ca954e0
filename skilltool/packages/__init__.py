"""Which skills does a package offer: a plugin, a marketplace, an extension? And whose is a skill in it?"""
