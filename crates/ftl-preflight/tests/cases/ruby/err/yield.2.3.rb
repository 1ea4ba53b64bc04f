class A
  yield
end
