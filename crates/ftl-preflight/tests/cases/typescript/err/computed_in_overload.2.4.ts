class A {
  [f()](): void;
  [f()](): void {}
}
