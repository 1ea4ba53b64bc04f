<<<<<<< HEAD
fn a() {}
