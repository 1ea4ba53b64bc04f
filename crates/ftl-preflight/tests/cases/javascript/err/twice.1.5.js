let a;
let a;
