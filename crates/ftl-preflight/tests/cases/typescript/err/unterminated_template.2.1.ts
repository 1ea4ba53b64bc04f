let a = `b
