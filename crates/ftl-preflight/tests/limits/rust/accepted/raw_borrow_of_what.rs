fn f() {
    let _ = &raw foo;
}
