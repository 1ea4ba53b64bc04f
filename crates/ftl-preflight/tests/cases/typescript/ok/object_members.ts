const both = {
  get a() { return 1; },
  set a(value) {},
  ["b" + "c"]: 1,
  ["b" + "c"]: 2,
  m() {},
  ...other,
};
