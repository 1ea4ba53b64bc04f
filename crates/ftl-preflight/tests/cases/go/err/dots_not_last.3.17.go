package a

func f(a int, b ...string, c int) {}
