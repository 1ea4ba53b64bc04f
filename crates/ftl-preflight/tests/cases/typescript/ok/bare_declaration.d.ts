export {};
const a: number;
