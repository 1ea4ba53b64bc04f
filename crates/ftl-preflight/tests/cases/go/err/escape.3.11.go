package a

var x = "é\q"
