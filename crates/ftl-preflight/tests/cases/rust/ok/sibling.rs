mod missing;
use crate::missing::nothing;
extern crate absent;
fn main() { nothing::<{ 1 + 1 }>(); r#type!(); }
