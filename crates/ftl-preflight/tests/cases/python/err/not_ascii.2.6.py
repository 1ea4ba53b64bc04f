# coding: ascii
x = "é"
