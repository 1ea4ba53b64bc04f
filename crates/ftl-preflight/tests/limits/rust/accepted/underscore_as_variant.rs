enum E {
    _,
}
