fn main() {}
print("x")
