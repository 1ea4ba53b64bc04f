def f():
    n = 0
    def g():
        print(n)
        nonlocal n
