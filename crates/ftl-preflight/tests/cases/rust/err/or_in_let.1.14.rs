fn f() { let A | B = c; }
