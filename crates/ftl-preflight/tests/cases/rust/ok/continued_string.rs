fn f() -> &'static str {
    "continued \
     here"
}
