extern "C" {
    const X: u8;
}
