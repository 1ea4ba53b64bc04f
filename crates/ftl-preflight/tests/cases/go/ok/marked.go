package a

var x = `raw
"`
