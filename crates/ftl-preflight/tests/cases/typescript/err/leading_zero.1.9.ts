let a = 09;
