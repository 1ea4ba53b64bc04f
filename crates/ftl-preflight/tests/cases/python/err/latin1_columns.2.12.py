# coding: latin-1
x = "éé" + 
