fn f() {
    a)
    let x = [
    }
}
