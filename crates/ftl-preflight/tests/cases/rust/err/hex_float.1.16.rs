const X: f32 = 0x1.5;
