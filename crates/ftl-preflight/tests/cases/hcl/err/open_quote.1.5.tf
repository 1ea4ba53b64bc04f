a = "x
b = 2
c = "y"
