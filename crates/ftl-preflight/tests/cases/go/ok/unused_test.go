package a

import "missing/module"

func TestX(t *T) { undefined() }
