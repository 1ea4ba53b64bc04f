return 1 -- one
return 2
