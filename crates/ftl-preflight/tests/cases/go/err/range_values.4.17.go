package a

func f() {
	for a, b, c := range d {
	}
}
