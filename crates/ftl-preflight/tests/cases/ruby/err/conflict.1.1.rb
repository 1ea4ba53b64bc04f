<<<<<<< HEAD
a = 1
