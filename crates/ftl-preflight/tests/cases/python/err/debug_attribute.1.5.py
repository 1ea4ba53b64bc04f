obj.__debug__ = 1
