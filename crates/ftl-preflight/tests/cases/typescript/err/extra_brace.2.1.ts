function f() {}
}
