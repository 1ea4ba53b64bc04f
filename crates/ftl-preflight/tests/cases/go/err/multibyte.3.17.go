package a

var s = "日本語" + )
