struct A {
    b: u8,
    /// Nothing follows.
}
