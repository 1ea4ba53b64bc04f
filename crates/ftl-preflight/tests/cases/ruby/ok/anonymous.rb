def f(*)
  g(*)
  [*]
end

def h(**) = k(**)

def m(*, **, &) = t(*, **, &)
