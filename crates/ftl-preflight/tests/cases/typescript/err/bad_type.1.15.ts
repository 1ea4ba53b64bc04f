type A = { b: };
