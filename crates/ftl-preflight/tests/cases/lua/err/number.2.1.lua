x = 3x
