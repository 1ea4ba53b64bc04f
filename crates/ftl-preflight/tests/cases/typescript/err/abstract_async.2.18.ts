abstract class A {
  abstract async f(): void;
}
