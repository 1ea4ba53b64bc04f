fn f() {
    while true && (let None = None) {}
}
