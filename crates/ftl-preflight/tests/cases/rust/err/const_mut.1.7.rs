const mut X: u8 = 1;
