def greet(:
    pass
