let a = 017;
