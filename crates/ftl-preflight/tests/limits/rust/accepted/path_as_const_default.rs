struct A<const N: i32 = i32::MAX>;
