let a = 1;
let a = 2;
export { missing };
function f(): void;
class C { constructor() {} constructor() {} }
