package a

x := 1
