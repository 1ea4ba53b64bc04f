def f():
    import os
    global os
