let a = /\u{61}/;
