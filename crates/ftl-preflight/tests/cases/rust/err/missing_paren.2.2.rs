fn f(a: u8 {
}
