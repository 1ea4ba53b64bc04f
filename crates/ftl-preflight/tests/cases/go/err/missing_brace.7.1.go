package a

func f() {
	if x {
		g()
	}
