# coding: utf8
x = 1
