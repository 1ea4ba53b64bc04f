fn f() { let A { .., a } = b; }
