class A:
    def outer(self):
        __x = 1

        def inner():
            nonlocal _A__x
