package a

var x = 

var y = 1
