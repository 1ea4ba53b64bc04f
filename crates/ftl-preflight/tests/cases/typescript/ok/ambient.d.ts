declare module "a" { export default function b(c: string): void; }
declare global { interface Window { d: number } }
export {};
