package a

func f() {
	if x {
	}
	else {
	}
}
