package a

func f() {
	if x := 1 {
	}
}
