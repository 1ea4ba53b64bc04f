const mixed = { get a() { return 1; }, a: 3 };
