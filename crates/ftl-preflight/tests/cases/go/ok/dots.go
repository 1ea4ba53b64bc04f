package a

func f(a int, b ...string) {}

var g func(...int)
