fn f<'a>(x: &'fn u8) {}
