package a

var x int

import "b"
