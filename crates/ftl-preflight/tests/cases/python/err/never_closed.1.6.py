x = f(1,
y = 2

def g():
    pass
