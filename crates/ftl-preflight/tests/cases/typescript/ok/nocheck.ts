// @ts-nocheck
const o = { a: 1, a: 2 };
const x;
