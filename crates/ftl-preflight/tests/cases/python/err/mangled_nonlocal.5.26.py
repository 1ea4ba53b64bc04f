class A:
    def outer(self, __x):
        class B:
            def inner(self):
                nonlocal __x
