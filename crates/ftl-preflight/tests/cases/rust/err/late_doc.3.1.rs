use a::b;

//! late

fn f() {}
