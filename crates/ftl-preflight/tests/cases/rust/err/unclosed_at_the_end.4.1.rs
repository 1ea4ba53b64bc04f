fn f() {
    match x {
        1 => {}

