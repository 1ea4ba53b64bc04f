# encoding: iso-8859-1
x = "é"
