let a = /\u{61}/u;
let b = /\\u{2}/;
