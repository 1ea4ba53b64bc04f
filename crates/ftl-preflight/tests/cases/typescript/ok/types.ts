import type { A } from "./a";
export abstract class B<const T extends A = A> implements C {
  declare d: string;
  constructor(private readonly e?: number) { super(); }
  abstract f(): asserts this is B<T>;
  @decorated accessor g!: unique symbol;
}
enum H { I = 1 << 2 }
const j = <T,>(x: T) => x satisfies T as const;
type K<L> = L extends [infer M extends string, ...infer N] ? `${M}` : never;
let o = <any>j;
