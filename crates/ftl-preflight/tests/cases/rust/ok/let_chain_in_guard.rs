fn f(x: Option<u8>) {
    match x {
        Some(1) if let Some(y) = x && y > 1 => {}
        _ => {}
    }
}
