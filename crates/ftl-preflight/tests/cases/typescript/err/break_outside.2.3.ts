function f() {
  break;
}
