package a

var x = []int{
	1,
	2
}
