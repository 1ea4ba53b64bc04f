type A = {
  (b: number, c: number) D
};
