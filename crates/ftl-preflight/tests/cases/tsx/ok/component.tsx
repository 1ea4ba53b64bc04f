export const A = <T,>({ b }: { b: T }) => <C<T> d={b as T}>text</C>;
