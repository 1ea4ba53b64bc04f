def f(a)
  g(*)
end
