package a

func f() {
	defer g
}
