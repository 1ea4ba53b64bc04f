class A {
  [f()]: number;
}
