class A {
  [Symbol.iterator] = 1;
  [-1] = 2;
  ["a"] = 3;
  [f()]() {}
}
interface B {
  [Symbol.iterator](): void;
}
