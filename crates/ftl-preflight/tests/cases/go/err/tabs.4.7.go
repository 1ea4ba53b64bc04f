package a

func f() {
		x = = 1
}
