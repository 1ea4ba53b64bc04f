interface A {
  b: string;
