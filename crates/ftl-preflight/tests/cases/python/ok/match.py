match command.split():
    case [action]:
        pass
    case {"key": value, **rest} | {"other": value, **rest}:
        pass
    case Point(x=0) | (1 | 2):
        pass
    case _:
        pass
type Pair[T] = tuple[T, T]
print(f"{"nested"} {{x}} {1:>{10}}")
