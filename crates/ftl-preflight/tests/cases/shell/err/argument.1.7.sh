echo a(b)
