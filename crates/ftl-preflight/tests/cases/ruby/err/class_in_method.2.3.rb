def a
  class B; end
end
