const X: u8 = 0b12;
