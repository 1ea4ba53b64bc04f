fn f(x: i32) { if x <-1 {} }
