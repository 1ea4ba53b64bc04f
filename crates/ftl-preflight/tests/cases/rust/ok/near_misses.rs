#![allow(x)]
//! Docs
#![warn(y)]
//! More

fn f() {
    //! Inner
    let a = (x < y) == (y < z);
    let b = x.collect::<Vec<_>>();
    let c: &(dyn A + B) = &d;
    let e: Box<dyn A + B> = f;
    if x < -1 && y > 2 {}
    let S { a, .. } = s;
    let (A | B) = c;
    m!(a::: b, x < y < z);
    loop {
        //! Inner
        break;
    }
    match 1 {
        0..=9 => {}
        _ => (..=3, 0xe5, 0b1_u8, 1..).0,
    }
}
