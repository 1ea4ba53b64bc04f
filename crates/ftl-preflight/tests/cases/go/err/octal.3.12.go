package a

var x = 0o78
