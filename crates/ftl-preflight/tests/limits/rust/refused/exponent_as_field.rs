fn f(s: S) {
    let a = s.1e0;
}
