function f() {
  g();
