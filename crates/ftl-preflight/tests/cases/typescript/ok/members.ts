type A = { a: number; b: string, c: boolean };
interface B {
  a: number /* x */
  b(): void; c(): void;
}
(a as any) = 1;
