fn f() {
    g(1];
}
