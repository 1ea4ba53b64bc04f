package a

// one

// two
func f() {
	g() // call
	// more
	h(1, 2
}
