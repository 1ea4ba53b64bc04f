interface A {
  [`a${b}`]: number;
}
