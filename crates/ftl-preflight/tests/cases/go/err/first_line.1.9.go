package 1
