fn f() {
    let r = ..1..2;
}
