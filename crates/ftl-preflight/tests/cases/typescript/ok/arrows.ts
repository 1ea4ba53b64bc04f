type F = new (a: string) => void;
let g: <T>(a: T) /* why */ => asserts a is T;
type H = abstract new () => object;
export default function () {}
