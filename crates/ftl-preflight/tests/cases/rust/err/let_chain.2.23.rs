fn f(a: Option<u8>) {
    if a.is_some() && let Some(b) = a {}
}
