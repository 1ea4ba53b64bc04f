class S { d() {} }
class C extends S {
  @super.d
  m() {}
}
