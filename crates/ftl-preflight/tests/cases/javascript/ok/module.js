import a from "a";
export default await a;
export const { b, ...c } = a ?? {};
class D { #e = 1; static { this.f = new.target; } }
